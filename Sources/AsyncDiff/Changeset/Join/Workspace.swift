/// What a diff works with, kept from one diff to the next so that a batch of them allocates once.
@usableFromInline
struct Workspace: ~Copyable {
  /// The new offset of each old row; -1 while it has none.
  @usableFromInline var newOffsets = Scratch<Int32>()
  /// How each new row found its old one.
  @usableFromInline var origins = Scratch<Origin>()
  /// Where the rows are that were paired out of step.
  @usableFromInline var disorder = Disorder()
  @usableFromInline var updates: [Changeset.Move] = []
  @usableFromInline var pairCount = 0
  /// Whether an identifier was seen twice in one list.
  @usableFromInline var hasDuplicates = false
  @usableFromInline var table = IdentifierTable()
  /// For each old row the next with its identifier, as a code of the table.
  @usableFromInline var successors = Scratch<Int32>()
  /// For each new row the old row it was paired with in order; -1 if there is none.
  @usableFromInline var partners = Scratch<Int32>()
  @usableFromInline var piles = Scratch<Int32>()
  @usableFromInline var tops = Scratch<Int32>()

  @usableFromInline
  enum Origin: UInt8, BitwiseCopyable {
    case none
    /// Both walks stood at the row.
    case inStep
    /// One walk had passed it before.
    case displaced
  }

  @inlinable
  init() {}

  /// Forgets every pair and makes room for lists of these sizes.
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

/// How many rows were paired out of step, and within which offsets.
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

  /// The old rows of which some pairs cross; before and after them all pairs are in order.
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
