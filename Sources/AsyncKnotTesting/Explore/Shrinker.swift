/// Looks for the fewest exceptions to what runs by itself that still make a run fail.
///
/// It takes exceptions away, many at once and then one by one, as long as the run fails (Zeller and
/// Hildebrandt, *Simplifying and Isolating Failure-Inducing Input*, 2002). What is left may still be more
/// than is needed, so it then tries whether the run fails with none, or with any single one.
struct Shrinker {
  /// Runs a schedule; the exceptions that were met where the run failed in the same way, else `nil`.
  let attempt: ([ForcedSwitch]) async -> [ForcedSwitch]?
  /// Where a schedule could have gone otherwise: all single exceptions to a run without any.
  let singles: () async -> [ForcedSwitch]
  /// How many runs may be spent.
  var budget = 2_000

  mutating func shrink(_ switches: [ForcedSwitch]) async -> [ForcedSwitch] {
    if let none = await run([]) { return none }
    var best = switches
    var size = max(1, best.count / 2)
    while budget > 0 {
      var isSmaller = false
      var start = 0
      while start < best.count, budget > 0 {
        var candidate = best
        candidate.removeSubrange(start..<min(start + size, best.count))
        if let met = await run(candidate), met.count < best.count {
          best = met
          isSmaller = true
        } else {
          start += size
        }
      }
      if size > 1 { size /= 2 } else if !isSmaller { break }
    }
    guard best.count > 1 else { return best }
    for single in await singles() where budget > 0 {
      if let met = await run([single]) { return met }
    }
    return best
  }

  private mutating func run(_ switches: [ForcedSwitch]) async -> [ForcedSwitch]? {
    budget -= 1
    return await attempt(switches)
  }
}
