/// The memory of a diff, kept from one diff to the next so that several diffs allocate once.
@usableFromInline
struct Workspace: ~Copyable {
  /// The new offset of each old row, and the old offset of each new one; -1 while it has none.
  @usableFromInline var newOffsets = Scratch<Int32>()
  @usableFromInline var oldOffsets = Scratch<Int32>()
  /// The rows that the walks have not paired, ascending.
  @usableFromInline var oldRest = Rest()
  @usableFromInline var newRest = Rest()
  /// The pairs whose content differs.
  @usableFromInline var updates: [Changeset.Move] = []
  /// The range of the rows that were paired out of step.
  @usableFromInline var disorder = Disorder()
  @usableFromInline var table = JoinTable()
  @usableFromInline var piles = Scratch<Int32>()
  @usableFromInline var tops = Scratch<Int32>()

  @inlinable
  init() {}

  @inlinable
  mutating func pair(_ old: Int, _ new: Int, isContentEqual: Bool) {
    newOffsets[old] = Int32(truncatingIfNeeded: new)
    oldOffsets[new] = Int32(truncatingIfNeeded: old)
    if !isContentEqual { updates.append(Changeset.Move(from: old, to: new)) }
  }

  /// Pairs the rows of two lists: walks from both ends, and a table for what they leave.
  ///
  /// - Complexity: Expected O(*n*).
  @inlinable
  mutating func join<Keying: RowKeying>(
    _ old: Rows<Keying.Row>, _ new: Rows<Keying.Row>, keying: Keying,
    hash: IdentifierHash<Keying.ID> = IdentifierHash()
  ) {
    newOffsets.reset(count: old.count, to: -1)
    oldOffsets.reset(count: new.count, to: -1)
    updates.removeAll(keepingCapacity: true)
    disorder = Disorder()
    var front = Walk(old: old.count, new: new.count)
    walk(&front, old, new, keying: keying)
    var back = Walk(against: front)
    walk(&back, old, new, keying: keying)
    oldRest.collect(newOffsets, count: old.count)
    newRest.collect(oldOffsets, count: new.count)
    guard oldRest.count > 0, newRest.count > 0 else { return }
    if !joinRest(old, new, keying: keying, hash: hash) {
      join(old, new, keying: keying, hash: IdentifierHash(folding: false))
    }
  }

  /// Pairs rows in step until the walk is over.
  @inlinable
  mutating func walk<Keying: RowKeying>(
    _ walk: inout Walk, _ old: Rows<Keying.Row>, _ new: Rows<Keying.Row>, keying: Keying
  ) {
    while walk.oldLeft > 0, walk.newLeft > 0 {
      let likeness = keying.likeness(old[walk.old], new[walk.new])
      if likeness != .none {
        pair(walk.old, walk.new, isContentEqual: likeness == .content)
        walk.advance(old: 1, new: 1)
        walk.credit &+= 3
      } else if !walk.reunite(old, new, keying: keying) {
        return
      }
    }
  }

  /// Pairs the rows that the walks have left, by a table of their identifiers.
  ///
  /// - Returns: Whether the hash was good for these identifiers.
  @inlinable
  mutating func joinRest<Keying: RowKeying>(
    _ old: Rows<Keying.Row>, _ new: Rows<Keying.Row>, keying: Keying,
    hash: IdentifierHash<Keying.ID>
  ) -> Bool {
    var table = JoinTable()
    swap(&table, &self.table)
    defer { swap(&table, &self.table) }
    return table.join(
      oldCount: oldRest.count, newCount: newRest.count, hash: hash,
      oldID: { keying.id(old[oldRest[$0]]) }, newID: { keying.id(new[newRest[$0]]) }
    ) { oldPlace, newPlace in
      let (oldRow, newRow) = (oldRest[oldPlace], newRest[newPlace])
      disorder.add(oldRow, newRow)
      pair(oldRow, newRow, isContentEqual: keying.isContentEqual(old[oldRow], new[newRow]))
    }
  }
}

/// The offsets of the rows of one list that have no partner, ascending.
@usableFromInline
struct Rest: ~Copyable {
  @usableFromInline var offsets = Scratch<Int32>()
  @usableFromInline private(set) var count = 0

  @inlinable
  init() {}

  @inlinable
  subscript(place: Int) -> Int { Int(offsets[place]) }

  /// Keeps the rows without a partner.
  @usableFromInline
  mutating func collect(_ partners: borrowing Scratch<Int32>, count rows: Int) {
    offsets.reserve(rows + 1)
    var end = 0
    // Each row is written, and counted only if it has no partner: no branch can be mispredicted.
    for row in 0..<rows {
      offsets[end] = Int32(truncatingIfNeeded: row)
      end &+= partners[row] < 0 ? 1 : 0
    }
    count = end
  }

  /// The rows that are still without a partner, `offset` farther.
  func withoutPartner(_ partners: borrowing Scratch<Int32>, offset: Int) -> [Int] {
    unsafe [Int](unsafeUninitializedCapacity: count + 1) { rows, end in
      for place in 0..<count {
        let row = Int(offsets[place])
        unsafe rows[end] = offset + row
        end &+= partners[row] < 0 ? 1 : 0
      }
    }
  }
}

/// The number of rows that were paired out of step, and the bounds of their offsets.
@usableFromInline
struct Disorder {
  @usableFromInline var minOld = Int.max
  @usableFromInline var maxOld = -1
  @usableFromInline var minNew = Int.max
  @usableFromInline var maxNew = -1

  @inlinable
  init() {}

  @inlinable
  mutating func add(_ old: Int, _ new: Int) {
    minOld = min(minOld, old)
    maxOld = max(maxOld, old)
    minNew = min(minNew, new)
    maxNew = max(maxNew, new)
  }

  /// The range of old rows in which pairs cross; before and after it all pairs are in order.
  @inlinable
  func rows(_ newOffsets: borrowing Scratch<Int32>, of count: Int) -> Range<Int> {
    guard maxOld >= 0 else { return 0..<0 }
    var start = minOld
    while start > 0, newOffsets[start &- 1] < 0 || newOffsets[start &- 1] > minNew { start &-= 1 }
    var end = maxOld &+ 1
    while end < count, newOffsets[end] < maxNew { end &+= 1 }
    return start..<end
  }
}
