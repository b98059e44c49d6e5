/// What a diff works with, kept from one diff to the next so that a batch of them allocates once.
@usableFromInline
struct Workspace: ~Copyable {
  /// The new offset of each old row; -1 while it has none.
  @usableFromInline var newOffsets = Scratch<Int32>()
  /// How each new row found its old one.
  @usableFromInline var origins = Scratch<Origin>()
  /// The old offsets of the rows that were paired out of step.
  @usableFromInline var displaced: [Int32] = []
  @usableFromInline var updates: [Changeset.Move] = []
  @usableFromInline var pairCount = 0
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
    displaced.removeAll(keepingCapacity: true)
    updates.removeAll(keepingCapacity: true)
    pairCount = 0
  }

  @inlinable
  mutating func pair(_ old: Int, _ new: Int, _ origin: Origin, isContentEqual: Bool) {
    newOffsets[old] = Int32(truncatingIfNeeded: new)
    origins[new] = origin
    pairCount &+= 1
    if origin == .displaced { displaced.append(Int32(truncatingIfNeeded: old)) }
    if !isContentEqual { updates.append(Changeset.Move(from: old, to: new)) }
  }
}
