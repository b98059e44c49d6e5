/// Looks for a schedule with the fewest forced switches that still fails.
///
/// It takes switches away, many at once and then one by one, as long as the run fails (Zeller and
/// Hildebrandt, *Simplifying and Isolating Failure-Inducing Input*, 2002). Then no single switch can be taken
/// away, but another schedule may still need fewer. So it runs all schedules with one switch, with two and so
/// on (Emmi, Qadeer and Rakamarić, *Delay-Bounded Scheduling*, 2011). If that search is completed, no schedule with fewer
/// switches fails.
struct Shrinker {
  /// The run that failed.
  let plan: RunPlan
  /// Makes a run, and says whether it fails in the same way.
  let attempt: (RunPlan) async -> (FinishedRun, fails: Bool)
  private let budget: Duration
  private var hasTime: Bool { progress.spent < budget && !Task.isCancelled }
  private var progress = Progress()

  /// - Parameters:
  ///   - plan: The run that failed.
  ///   - budget: How long the runs may take together.
  ///   - attempt: Makes a run, and says whether it fails in the same way.
  init(
    _ plan: RunPlan, budget: Duration,
    attempt: @escaping (RunPlan) async -> (FinishedRun, fails: Bool)
  ) {
    self.plan = plan
    self.attempt = attempt
    self.budget = budget
  }

  /// The shortest schedule that was found, and whether all schedules with fewer switches were run.
  mutating func shrink(_ first: Schedule) async -> (schedule: Schedule, isFewest: Bool) {
    let (unforced, fails) = await run(plan.following([]))
    if fails { return (unforced, true) }
    let best = await reduce(first)
    let count = best.taken.count
    // A search through more would not be completed in time, and would keep all of them.
    let isSmall = unforced.trace.choices.reduce(0) { $0 + $1.count } < 100_000
    // Of schedules with equally many switches, one that interrupts no job is easier to read.
    let isPlain = !best.taken.contains { $0.after.isInterruption }
    for bound in 1..<(count + 1) {
      for interrupts in [false, true] where !interrupts || plan.chooser.isMixed {
        if bound == count, interrupts || isPlain { break }
        var cursor = SearchCursor(bound: bound, countsAll: true)
        repeat {
          guard hasTime, isSmall else { return (best, bound == count) }
          let chooser = Chooser(searching: cursor, interrupts: interrupts)
          let (schedule, fails) = await run(plan.taking(chooser))
          if fails { return (schedule, true) }
          cursor = schedule.chooser.cursor
        } while cursor.advance()
      }
    }
    return (best, true)
  }

  /// Takes switches away as long as the run fails.
  private mutating func reduce(_ first: Schedule) async -> Schedule {
    var best = first
    var size = max(1, best.taken.count / 2)
    while hasTime {
      var isSmaller = false
      var start = 0
      while start < best.taken.count, hasTime {
        var candidate = best.taken
        let end = min(start + size, candidate.count)
        candidate.removeSubrange(start..<end)
        let (schedule, fails) = await run(plan.following(candidate))
        if fails, schedule.taken.count < best.taken.count {
          best = schedule
          isSmaller = true
        } else {
          start += size
        }
      }
      if size > 1 { size /= 2 } else if !isSmaller { break }
    }
    return best
  }

  private mutating func run(_ plan: RunPlan) async -> (Schedule, fails: Bool) {
    let (finished, fails) = await attempt(plan)
    progress.add(finished)
    if progress.isDue { progress.tell("seed \(plan.seed) fails; looked for its shortest schedule") }
    await Task.yield()
    return (finished.schedule, fails)
  }
}
