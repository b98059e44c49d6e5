/// Pairs rows of two lists by a hash table of their identifiers.
@usableFromInline
struct JoinTable: ~Copyable {
  @usableFromInline var table = IdentifierTable()
  /// The next old row with the same identifier for each old row, as a code of the table.
  @usableFromInline var successors = Scratch<Int32>()
  /// Whether each old row has a partner.
  @usableFromInline var isTaken = Scratch<Bool>()

  @inlinable
  init() {}

  /// Pairs as many rows with equal identifiers as there can be, the first with the first.
  ///
  /// The old rows of one identifier form a list in `successors`, and the table names its head. If
  /// all identifiers differ, the row after a pair is first compared with the old row beside that
  /// pair, so that a block that moved, or was reversed, is looked up once.
  ///
  /// The method is inlined, so that the closures become part of its loops; calling them took half
  /// of the time.
  ///
  /// - Returns: Whether all rows were looked up; false if the quick hash fails for these identifiers.
  /// - Complexity: Expected O(*n*).
  @inlinable @inline(__always)
  mutating func join<ID: Hashable>(
    oldCount: Int, newCount: Int, hash: IdentifierHash<ID>,
    oldID: (Int) -> ID, newID: (Int) -> ID, pair: (_ old: Int, _ new: Int) -> Void
  ) -> Bool {
    table.reset(expecting: oldCount)
    successors.reserve(oldCount)
    isTaken.reset(count: oldCount, to: false)
    var hasDuplicates = false
    var row = oldCount
    while row > 0 {
      row &-= 1
      let id = oldID(row)
      requireIdentity(id)
      let hashed = hash(id)
      guard let slot = table.slot(of: hashed, folded: hash.folds, where: { oldID($0) == id })
      else { return false }
      successors[row] = table.entries[slot].code
      if successors[row] != 0 { hasDuplicates = true }
      table.entries[slot] = IdentifierTable.Entry(
        hash: hashed, code: Int32(truncatingIfNeeded: row &+ 1))
    }
    var last = -1
    var next = -1
    for row in 0..<newCount {
      let id = newID(row)
      var partner = next
      if next < 0 || next >= oldCount || oldID(next) != id || isTaken[next] {
        guard let slot = table.slot(of: hash(id), folded: hash.folds, where: { oldID($0) == id })
        else { return false }
        partner = Int(table.entries[slot].code) &- 1
        guard partner >= 0, !isTaken[partner] else { continue }
        if successors[partner] != 0 { table.entries[slot].code = successors[partner] }
      }
      isTaken[partner] = true
      pair(partner, row)
      if !hasDuplicates { next = partner &+ (partner &+ 1 == last ? -1 : 1) }
      last = partner
    }
    return true
  }
}

extension IdentifierTable {
  /// The slot of the entry that `isMatch` accepts, or the empty slot for it; nil if a quick hash
  /// leads through too many entries.
  @inlinable
  func slot(of hash: UInt32, folded: Bool, where isMatch: (Int) -> Bool) -> Int? {
    var slot = self.slot(of: hash)
    var steps = 0
    while true {
      let entry = entries[slot]
      if entry.code == 0 { return slot }
      if entry.hash == hash, isMatch(Int(entry.code &- 1)) { return slot }
      slot = self.slot(after: slot)
      steps &+= 1
      if folded, steps > Self.longestChain { return nil }
    }
  }
}
