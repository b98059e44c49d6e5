/// Looks for the fewest exceptions to what runs by itself that still make a run fail.
///
/// It takes exceptions away, many at once and then one by one, as long as the run fails (Zeller and
/// Hildebrandt, *Simplifying and Isolating Failure-Inducing Input*, 2002). What is left cannot lose any one
/// of them, and may still be more than is needed. So then it runs all schedules with fewer: with none, with
/// one, with two and so on. Where that search comes to its end, no schedule with fewer fails.
struct Shrinker {
  /// What became of a schedule.
  struct Attempt {
    let fails: Bool
    /// The exceptions that were met.
    let met: [ForcedSwitch]
    /// All that could have run instead after the last exception, each by one more.
    let alternatives: [ForcedSwitch]
    let account: RunAccount
  }

  /// The shortest schedule that was found.
  struct Result {
    let switches: [ForcedSwitch]
    /// Whether all schedules with fewer exceptions were run.
    let isFewest: Bool
  }

  /// Runs a schedule.
  let attempt: ([ForcedSwitch]) async -> Attempt
  /// How many jobs may be spent.
  var budget = 1_000_000
  private var loan = ThreadLoan()

  init(attempt: @escaping ([ForcedSwitch]) async -> Attempt) { self.attempt = attempt }

  mutating func shrink(_ switches: [ForcedSwitch]) async -> Result {
    if await run([]).fails { return Result(switches: [], isFewest: true) }
    return await searchBelow(await reduce(switches))
  }

  /// Takes exceptions away as long as the run fails.
  private mutating func reduce(_ switches: [ForcedSwitch]) async -> [ForcedSwitch] {
    var best = switches
    var size = max(1, best.count / 2)
    while budget > 0 {
      var isSmaller = false
      var start = 0
      while start < best.count, budget > 0 {
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

  /// Runs all schedules with fewer exceptions, those with the fewest first.
  ///
  /// Each schedule with one more is a schedule that passed, and one thing that could have run instead after
  /// its last exception.
  private mutating func searchBelow(_ best: [ForcedSwitch]) async -> Result {
    var passed: [[ForcedSwitch]] = [[]]
    for count in 1..<max(1, best.count) {
      var longer: [[ForcedSwitch]] = []
      for schedule in passed {
        for alternative in await run(schedule).alternatives {
          guard budget > 0, !Task.isCancelled else {
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
    let attempt = await attempt(switches)
    // A run has its price, also where it has few jobs.
    budget -= attempt.account.jobs + 10
    await loan.settle(after: attempt.account)
    return attempt
  }
}
