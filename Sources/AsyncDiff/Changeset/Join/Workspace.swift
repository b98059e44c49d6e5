import Synchronization

/// The memory of a diff, reused by later diffs.
@usableFromInline
struct Workspace: ~Copyable, Sendable {
  /// The new offset of each old row and the old offset of each new row; -1 for a row without a partner.
  @usableFromInline var newOffsets = Scratch<Int32>()
  @usableFromInline var oldOffsets = Scratch<Int32>()
  /// The rows that the walks have not paired, ascending.
  @usableFromInline var oldRest = Rest()
  @usableFromInline var newRest = Rest()
  /// The pairs whose content differs.
  @usableFromInline var updates: [Changeset.Move] = []
  @usableFromInline var table = JoinTable()
  var piles = Scratch<Int32>()
  var tops = Scratch<Int32>()

  init() {}

  /// The workspace that the last diff left for reuse.
  private static let spare = Mutex<Workspace?>(nil)

  /// Returns the memory of an earlier diff, if there is any, because allocating memory can take as long as the diff.
  @usableFromInline
  static func take() -> Workspace { spare.withLock { $0.take() } ?? Workspace() }

  /// Keeps the memory for the next diff if it is at most 4 MiB, enough for about 50,000 rows out of order.
  @usableFromInline
  consuming func leave() {
    guard size <= 4 << 20 else { return }
    var mine: Workspace? = self
    Self.spare.withLock { swap(&$0, &mine) }
  }

  /// The size in bytes.
  var size: Int {
    newOffsets.size + oldOffsets.size + oldRest.offsets.size + newRest.offsets.size
      + table.slots.size + table.successors.size + table.isTaken.size + piles.size + tops.size
      + updates.capacity * MemoryLayout<Changeset.Move>.stride
  }

  @inlinable
  mutating func pair(_ old: Int, _ new: Int, isContentEqual: Bool) {
    newOffsets[old] = Int32(truncatingIfNeeded: new)
    oldOffsets[new] = Int32(truncatingIfNeeded: old)
    if !isContentEqual { updates.append(Changeset.Move(from: old, to: new)) }
  }

  /// Pairs the rows of two lists by walks from both ends, and the remaining rows by a table of their identifiers, in expected
  /// O(*n*).
  @inlinable
  mutating func join<Keying: RowKeying>(
    _ old: RowBuffer<Keying.Row>, _ new: RowBuffer<Keying.Row>, keying: Keying,
    hash: IdentifierHash<Keying.ID> = IdentifierHash()
  ) {
    begin(oldCount: old.count, newCount: new.count)
    var front = Walk(old: old.count, new: new.count)
    walk(&front, old, new, keying: keying)
    var back = Walk(against: front)
    walk(&back, old, new, keying: keying)
    oldRest.collect(newOffsets, count: old.count, unseen: front.old..<front.old + back.oldLeft)
    newRest.collect(oldOffsets, count: new.count, unseen: front.new..<front.new + back.newLeft)
    guard oldRest.count > 0, newRest.count > 0 else { return }
    if !joinRest(old, new, keying: keying, hash: hash) {
      join(old, new, keying: keying, hash: IdentifierHash(folding: false))
    }
  }

  /// Pairs rows by looking up their identifiers in a table, without comparing their contents.
  @inlinable @inline(__always)
  mutating func joinByTable<ID: Hashable>(
    oldCount: Int, newCount: Int, hash: IdentifierHash<ID> = IdentifierHash(),
    oldID: (Int) -> ID, newID: (Int) -> ID
  ) {
    var table = JoinTable()
    swap(&table, &self.table)
    var hash = hash
    begin(oldCount: oldCount, newCount: newCount)
    while !table.join(
      oldCount: oldCount, newCount: newCount, hash: hash, oldID: oldID, newID: newID,
      pair: { pair($0, $1, isContentEqual: true) })
    {
      hash = IdentifierHash(folding: false)
      begin(oldCount: oldCount, newCount: newCount)
    }
    swap(&table, &self.table)
  }

  @usableFromInline
  mutating func begin(oldCount: Int, newCount: Int) {
    newOffsets.reset(count: oldCount, to: -1)
    oldOffsets.reset(count: newCount, to: -1)
    updates.removeAll(keepingCapacity: true)
  }

  /// Until the walk ends, pairs the next rows of both lists if they have the same identifier, and otherwise lets the walk skip
  /// rows.
  @inlinable
  mutating func walk<Keying: RowKeying>(
    _ walk: inout Walk, _ old: RowBuffer<Keying.Row>, _ new: RowBuffer<Keying.Row>, keying: Keying
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

  /// Pairs the remaining rows by looking up their identifiers in a table; returns `false` if too many identifiers collide.
  @inlinable
  mutating func joinRest<Keying: RowKeying>(
    _ old: RowBuffer<Keying.Row>, _ new: RowBuffer<Keying.Row>, keying: Keying,
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
      pair(oldRow, newRow, isContentEqual: keying.isContentEqual(old[oldRow], new[newRow]))
    }
  }
}

/// The offsets of the rows of one list that the walks have not paired, ascending.
@usableFromInline
struct Rest: ~Copyable, Sendable {
  @usableFromInline var offsets = Scratch<Int32>()
  @usableFromInline private(set) var count = 0

  @inlinable
  subscript(place: Int) -> Int { Int(offsets[place]) }

  /// Collects the rows without a partner, including those in `unseen`, which the walks have not visited.
  @usableFromInline
  mutating func collect(
    _ partners: borrowing Scratch<Int32>, count rows: Int, unseen: Range<Int>
  ) {
    offsets.reserve(rows + 1)
    var end = 0
    func add(_ row: Int, if isLeft: Bool) {
      // Each row is written, but is counted only if it has no partner, so there is no branch to mispredict.
      offsets[end] = Int32(truncatingIfNeeded: row)
      end &+= isLeft ? 1 : 0
    }
    for row in 0..<unseen.lowerBound { add(row, if: partners[row] < 0) }
    for row in unseen { add(row, if: true) }
    for row in unseen.upperBound..<rows { add(row, if: partners[row] < 0) }
    count = end
  }

  /// The range from the first to the last of these rows that have a partner in `partners`; `nil` if no row has one.
  func partnered(_ partners: borrowing Scratch<Int32>) -> ClosedRange<Int>? {
    var (first, last) = (0, count &- 1)
    while first <= last, partners[self[first]] < 0 { first &+= 1 }
    while last > first, partners[self[last]] < 0 { last &-= 1 }
    return first <= last ? self[first]...self[last] : nil
  }

  /// The offsets of the rows that still have no partner, with `offset` added to each.
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
