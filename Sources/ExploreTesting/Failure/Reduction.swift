/// Takes switches away from a schedule as long as it fails, in steps that get smaller: all that belong together, as those of one
/// task; all behind the shortest beginning that fails; half of them, and so on, down to one.
///
/// After Zeller and Hildebrandt, *Simplifying and Isolating Failure-Inducing Input*, 2002.
struct Reduction {
  /// The fewest switches so far that fail.
  private(set) var best: [ForcedSwitch]
  /// What may go at once; those that were tried are taken from the end.
  private var groups: [Set<ForcedSwitch>]
  /// How many switches of the beginning are too few.
  private var passed = 0
  /// How many go at once after that, from where, and whether fewer were enough since the size is this one.
  private var size: Int
  private var start = 0
  private var isSmaller = false
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
    // A group of one is no larger step than the last ones.
    groups = groups.filter { $0.count > 1 }.sorted { $0.count < $1.count }
  }

  /// The switches to try next; `nil` where none can be taken away.
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

  /// Takes note of what became of the last try.
  ///
  /// - Parameter taken: The switches that were carried out in it; `nil` where it passes.
  /// - Returns: Whether it is the best so far.
  mutating func take(_ taken: [ForcedSwitch]?) -> Bool {
    let isBest = taken.map { Self.weight($0) < Self.weight(best) } ?? false
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

  private static func weight(_ switches: [ForcedSwitch]) -> (chances: Int, switches: Int) {
    let chances = switches.count { $0.after.isChance }
    return (chances, switches.count - chances)
  }
}
