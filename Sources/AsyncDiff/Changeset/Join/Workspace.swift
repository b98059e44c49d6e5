/// The memory of a diff, kept from one diff to the next so that several diffs allocate once.
@usableFromInline
struct Workspace: ~Copyable {
  /// The new offset of each old row; -1 while it has none.
  @usableFromInline var newOffsets = Scratch<Int32>()
  /// How each new row was paired.
  @usableFromInline var origins = Scratch<Origin>()
  /// The range of the rows that were paired out of step.
  @usableFromInline var disorder = Disorder()
  @usableFromInline var updates: [Changeset.Move] = []
  @usableFromInline var pairCount = 0
  /// Whether an identifier was seen twice in one list.
  @usableFromInline var hasDuplicates = false
  @usableFromInline var table = IdentifierTable()
  /// The next old row with the same identifier for each old row, as a code of the table.
  @usableFromInline var successors = Scratch<Int32>()
  /// The old row with which each new row was paired in order; -1 if there is none.
  @usableFromInline var partners = Scratch<Int32>()
  @usableFromInline var piles = Scratch<Int32>()
  @usableFromInline var tops = Scratch<Int32>()

  @usableFromInline
  enum Origin: UInt8, BitwiseCopyable {
    case none
    /// The walk stood at the row in both lists.
    case inStep
    /// The walk had passed the row in one list.
    case displaced
  }

  @inlinable
  init() {}

  /// Removes every pair and makes room for lists of these sizes.
  @inlinable
  mutating func reset(old: Int, new: Int) {
    newOffsets.reset(count: old, to: -1)
    origins.reset(count: new, to: .none)
    disorder = Disorder()
    updates.removeAll(keepingCapacity: true)
    pairCount = 0
    hasDuplicates = false
  }

  @inlinable
  mutating func pair(_ old: Int, _ new: Int, _ origin: Origin, isContentEqual: Bool) {
    newOffsets[old] = Int32(truncatingIfNeeded: new)
    origins[new] = origin
    pairCount &+= 1
    if origin == .displaced { disorder.add(old, new) }
    if !isContentEqual { updates.append(Changeset.Move(from: old, to: new)) }
  }
}

/// The number of rows that were paired out of step, and the bounds of their offsets.
@usableFromInline
struct Disorder {
  @usableFromInline var count = 0
  @usableFromInline var minOld = Int.max
  @usableFromInline var maxOld = -1
  @usableFromInline var minNew = Int.max
  @usableFromInline var maxNew = -1

  @inlinable
  init() {}

  @inlinable
  mutating func add(_ old: Int, _ new: Int) {
    count &+= 1
    minOld = min(minOld, old)
    maxOld = max(maxOld, old)
    minNew = min(minNew, new)
    maxNew = max(maxNew, new)
  }

  /// The range of old rows in which pairs cross; before and after it all pairs are in order.
  @inlinable
  func rows(_ newOffsets: borrowing Scratch<Int32>, of count: Int) -> Range<Int> {
    guard self.count > 0 else { return 0..<0 }
    var start = minOld
    while start > 0, newOffsets[start &- 1] < 0 || newOffsets[start &- 1] > minNew { start &-= 1 }
    var end = maxOld &+ 1
    while end < count, newOffsets[end] < maxNew { end &+= 1 }
    return start..<end
  }
}
