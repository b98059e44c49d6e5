/// Removes switches from a schedule as long as the schedule still fails.
///
/// The reduction first removes groups that belong together, such as all switches of one task. Then it removes all switches after
/// the shortest prefix that fails. Finally it removes half of the switches at a time, then a quarter, and so on down to one
/// switch.
///
/// See Zeller and Hildebrandt, *Simplifying and Isolating Failure-Inducing Input*, 2002.
struct Reduction {
  /// The smallest set of switches so far that fails.
  private(set) var best: [ForcedSwitch]
  /// The groups that have not been tried; the last group is tried next.
  private var groups: [Set<ForcedSwitch>]
  /// The length of the longest prefix that is known to pass.
  private var passed = 0
  /// The number of switches to remove together in the last phase.
  private var size: Int
  /// The index of the first switch to remove.
  private var start = 0
  /// Whether any groups of this size were removed.
  private var isSmaller = false
  /// Whether the last phase has begun.
  private var isInParts = false

  init(_ first: [ForcedSwitch]) {
    best = first
    size = max(1, first.count / 2)
    let switches = first.filter { !$0.after.isChance }
    groups = [
      Set(first.filter(\.after.isInterruption)), Set(first.filter(\.after.isChance)),
    ]
    groups += Dictionary(grouping: switches, by: \.after.task).values.map { Set($0) }
    groups += Dictionary(grouping: switches, by: \.run).values.map { Set($0) }
    // The last phase tries each single switch anyway.
    groups = groups.filter { $0.count > 1 }.sorted { $0.count < $1.count }
  }

  /// The switches to try next; `nil` if no more can be removed.
  mutating func next() -> [ForcedSwitch]? {
    while let group = groups.last {
      let rest = best.filter { !group.contains($0) }
      if rest.count < best.count { return rest }
      groups.removeLast()
    }
    if !isInParts, passed + 1 < best.count { return Array(best.prefix(middle)) }
    isInParts = true
    if start >= best.count {
      if size == 1, !isSmaller { return nil }
      (start, isSmaller, size) = (0, false, max(1, min(size, best.count) / 2))
    }
    guard !best.isEmpty else { return nil }
    var rest = best
    rest.removeSubrange(start..<min(start + size, rest.count))
    return rest
  }

  private var middle: Int { (passed + best.count) / 2 }

  /// Records the result of the last attempt.
  ///
  /// - Parameter taken: The switches that the attempt carried out; `nil` if it passed.
  /// - Returns: Whether the attempt's schedule is the smallest so far that fails.
  mutating func take(_ taken: [ForcedSwitch]?) -> Bool {
    let isBest = taken.map { $0.size < best.size } ?? false
    if !groups.isEmpty {
      groups.removeLast()
    } else if !isInParts {
      if !isBest { passed = middle }
    } else if isBest {
      isSmaller = true
    } else {
      start += size
    }
    if let taken, isBest { best = taken }
    return isBest
  }
}
