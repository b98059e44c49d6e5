/// Finds a shorter schedule that still fails, with as few faults and forced switches as it can find.
///
/// First the shrinker removes switches while the run still fails (see ``Reduction``). After that, unless the time has run out, no
/// single switch can be removed, but another schedule with fewer switches may still fail. So the shrinker runs all schedules with
/// one switch, then with two, and so on (Emmi, Qadeer and Rakamarić, *Delay-Bounded Scheduling*, 2011). If that search completes,
/// no shorter schedule fails; ``shrink(_:)`` says which schedules count as shorter. Each bound limits both the forced switches
/// and the *chances*: the decisions of `choose` and `fault` other than the default.
struct Shrinker {
  /// The plan of the run that failed.
  let plan: RunPlan
  /// Makes a run and returns whether it has the same failure.
  let attempt: (RunPlan) async -> (FinishedRun, fails: Bool)
  private let budget: Duration
  private var hasTime: Bool { progress.spent < budget && !Task.isCancelled }
  private var progress = Progress()

  /// - Parameters:
  ///   - plan: The plan of the run that failed.
  ///   - budget: How long all runs may take together.
  ///   - attempt: Makes a run, and returns whether it has the same failure.
  init(
    _ plan: RunPlan, budget: Duration,
    attempt: @escaping (RunPlan) async -> (FinishedRun, fails: Bool)
  ) {
    self.plan = plan
    self.attempt = attempt
    self.budget = budget
  }

  /// Returns the shortest schedule found, and whether all shorter ones have run: those with fewer faults and no more switches,
  /// and those with the same number of faults and fewer switches.
  mutating func shrink(_ first: Schedule) async -> (schedule: Schedule, isFewest: Bool) {
    let (unforced, fails) = await run(plan.following([]))
    if fails { return (unforced, true) }
    var best = await reduce(first)
    // The search of a longer run would not end in time, and would keep all of its choices in memory.
    let isSmall = unforced.trace.choices.reduce(0) { $0 + $1.count } < 100_000
    var passed: [Size] = [(0, 0)]
    while let bound = Self.smaller(than: best, but: passed) {
      // Among schedules with the same number of switches, one that interrupts no job is easier to read.
      let kinds = bound == best.taken.size || !plan.chooser.isMixed ? [false] : [false, true]
      var found: Schedule?
      for interrupts in kinds where found == nil {
        var cursor = SearchCursor(bound: bound.switches, faults: bound.chances, countsAll: true)
        repeat {
          guard hasTime, isSmall else { return (best, bound == best.taken.size) }
          let chooser = Chooser(searching: cursor, interrupts: interrupts)
          let (schedule, fails) = await run(plan.taking(chooser))
          if fails { found = schedule }
          cursor = schedule.chooser.cursor
        } while found == nil && cursor.advance()
      }
      if bound == best.taken.size { return (found ?? best, true) }
      best = found ?? best
      if found == nil { passed.append(bound) }
    }
    return (best, true)
  }

  private typealias Size = (chances: Int, switches: Int)

  /// Returns a bound that is smaller than the failing schedule and that no passed bound includes.
  ///
  /// Bounds with the same number of chances come first, because they soon lead to a schedule that is short enough to read. If the
  /// failing schedule interrupts jobs, its own size is the last bound, because a schedule of that size may fail without
  /// interruptions.
  private static func smaller(than best: Schedule, but passed: [Size]) -> Size? {
    let size = best.taken.size
    var bounds: [Size] = (0..<size.switches).map { (size.chances, $0) }
    bounds += (0..<size.chances).map { ($0, size.switches) }
    if best.taken.contains(where: { $0.after.isInterruption }) { bounds.append(size) }
    return bounds.first { bound in
      !passed.contains { $0.chances >= bound.chances && $0.switches >= bound.switches }
    }
  }

  /// Removes switches while the run still fails.
  private mutating func reduce(_ first: Schedule) async -> Schedule {
    var best = first
    var reduction = Reduction(first.taken)
    while hasTime, let candidate = reduction.next() {
      let (schedule, fails) = await run(plan.following(candidate))
      if reduction.take(fails ? schedule.taken : nil) { best = schedule }
    }
    return best
  }

  private mutating func run(_ plan: RunPlan) async -> (Schedule, fails: Bool) {
    let (finished, fails) = await attempt(plan)
    progress.add(finished)
    if progress.isDue {
      progress.tell("seed \(plan.seed) fails; looking for its shortest schedule")
    }
    await Task.yield()
    return (finished.schedule, fails)
  }
}
