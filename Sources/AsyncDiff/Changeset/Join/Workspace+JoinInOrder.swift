extension Workspace {
  /// Pairs rows with equal identifiers in order: the first with the first, and so on.
  ///
  /// The old rows of one identifier form a list in `successors`, and the table names its head. When
  /// the last row is taken, the entry still names it, negated. Afterwards `partners` has the old
  /// row of each new one, or -1.
  ///
  /// The method is inlined, so that the closures become part of its loops; calling them took half
  /// of the time.
  ///
  /// - Complexity: Expected O(*n*).
  @inlinable @inline(__always)
  mutating func joinInOrder<ID: Hashable>(
    oldCount: Int, newCount: Int, hash: IdentifierHash<ID> = IdentifierHash(),
    oldID: (Int) -> ID, newID: (Int) -> ID
  ) {
    var hash = hash
    while !tryJoinInOrder(
      oldCount: oldCount, newCount: newCount, hash: hash, oldID: oldID, newID: newID)
    {
      hash = IdentifierHash(folding: false)
    }
  }

  /// Pairs rows as `joinInOrder` does, unless the quick hash fails.
  ///
  /// - Returns: Whether all rows were paired; false if the quick hash fails for these identifiers.
  @inlinable @inline(__always)
  mutating func tryJoinInOrder<ID: Hashable>(
    oldCount: Int, newCount: Int, hash: IdentifierHash<ID>,
    oldID: (Int) -> ID, newID: (Int) -> ID
  ) -> Bool {
    table.reset(expecting: oldCount)
    successors.reserve(oldCount)
    partners.reset(count: newCount, to: -1)
    var row = oldCount
    while row > 0 {
      row &-= 1
      let id = oldID(row)
      let hashed = hash(id)
      guard let slot = table.slot(of: hashed, folded: hash.folds, where: { oldID($0) == id })
      else { return false }
      let entry = table.entries[slot]
      successors[row] = entry.code
      let code = Int32(truncatingIfNeeded: row &+ 1)
      if entry.code == 0 {
        table.insert(IdentifierTable.Entry(hash: hashed, code: code), at: slot)
      } else {
        table.entries[slot].code = code
      }
    }
    for row in 0..<newCount {
      let id = newID(row)
      guard let slot = table.slot(of: hash(id), folded: hash.folds, where: { oldID($0) == id })
      else { return false }
      let code = table.entries[slot].code
      guard code > 0 else { continue }
      let partner = Int(code &- 1)
      table.entries[slot].code = successors[partner] == 0 ? -code : successors[partner]
      partners[row] = Int32(truncatingIfNeeded: partner)
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
      if entry.hash == hash, isMatch(Int(abs(entry.code) &- 1)) { return slot }
      slot = self.slot(after: slot)
      steps &+= 1
      if folded, steps > Self.longestChain { return nil }
    }
  }
}
