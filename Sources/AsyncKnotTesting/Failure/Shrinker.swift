/// Looks for a schedule with the fewest forced switches that still fails.
///
/// It takes switches away, many at once and then one by one, as long as the run fails (Zeller and
/// Hildebrandt, *Simplifying and Isolating Failure-Inducing Input*, 2002). Then no single switch can be taken
/// away, but another schedule may still need fewer. So it runs all schedules with one switch, with two and so
/// on. If that search is completed, no schedule with fewer switches fails.
struct Shrinker {
  /// The result of running a schedule.
  struct Attempt {
    let fails: Bool
    /// The switches that were carried out.
    let met: [ForcedSwitch]
    /// The switches that could have been forced after the last one.
    let alternatives: [ForcedSwitch]
  }

  /// The shortest schedule that was found.
  struct Result {
    let switches: [ForcedSwitch]
    /// Whether all schedules with fewer switches were run.
    let isFewest: Bool
  }

  /// Runs a schedule.
  let attempt: ([ForcedSwitch]) async -> Attempt
  /// How long the runs may take together.
  var budget = Duration.seconds(10)
  private var spent = Duration.zero
  private var hasTime: Bool { spent < budget }

  init(attempt: @escaping ([ForcedSwitch]) async -> Attempt) { self.attempt = attempt }

  mutating func shrink(_ switches: [ForcedSwitch]) async -> Result {
    if await run([]).fails { return Result(switches: [], isFewest: true) }
    return await searchBelow(await reduce(switches))
  }

  /// Takes switches away as long as the run fails.
  private mutating func reduce(_ switches: [ForcedSwitch]) async -> [ForcedSwitch] {
    var best = switches
    var size = max(1, best.count / 2)
    while hasTime {
      var isSmaller = false
      var start = 0
      while start < best.count, hasTime {
        var candidate = best
        candidate.removeSubrange(start..<min(start + size, best.count))
        let attempt = await run(candidate)
        if attempt.fails, attempt.met.count < best.count {
          best = attempt.met
          isSmaller = true
        } else {
          start += size
        }
      }
      if size > 1 { size /= 2 } else if !isSmaller { break }
    }
    return best
  }

  /// Runs all schedules with fewer switches, those with the fewest first.
  ///
  /// The schedules with one switch more are those that passed, each with one of its alternatives.
  private mutating func searchBelow(_ best: [ForcedSwitch]) async -> Result {
    var passed: [[ForcedSwitch]] = [[]]
    for count in 1..<max(1, best.count) {
      var longer: [[ForcedSwitch]] = []
      for schedule in passed {
        for alternative in await run(schedule).alternatives {
          guard hasTime, !Task.isCancelled else {
            return Result(switches: best, isFewest: false)
          }
          let attempt = await run(schedule + [alternative])
          if attempt.fails { return Result(switches: attempt.met, isFewest: true) }
          if count < best.count - 1 { longer.append(schedule + [alternative]) }
        }
      }
      passed = longer
    }
    return Result(switches: best, isFewest: true)
  }

  private mutating func run(_ switches: [ForcedSwitch]) async -> Attempt {
    let start = ContinuousClock.now
    let attempt = await attempt(switches)
    spent += start.duration(to: .now)
    await Task.yield()
    return attempt
  }
}
