extension Workspace {
  /// Whether a row that was paired in step may have the identifier of one that was paired out of step.
  ///
  /// Only then can pairs of one identifier cross. A sieve of 64 bits for each displaced row lets through
  /// about one unique identifier in 64; those are looked up in the table.
  ///
  /// - Complexity: Expected O(*n*) if a row was displaced, else O(1).
  @inlinable
  mutating func mayHaveCrossingPairs<Keying: RowKeying>(
    _ old: Rows<Keying.Row>, _ new: Rows<Keying.Row>,
    keying: Keying, hash: IdentifierHash<Keying.ID>
  ) -> Bool {
    guard disorder.count > 0 else { return false }
    var words = 1
    while words < disorder.count { words &*= 2 }
    let mask = words &- 1
    sieve.reset(count: words, to: 0)
    let rows = disorder.rows(newOffsets, of: old.count)
    for row in rows where isPaired(row, .displaced) {
      let hashed = hash(keying.id(old[row]))
      sieve[Int(hashed >> 6) & mask] |= 1 << UInt64(hashed & 63)
    }
    for row in rows where isPaired(row, .inStep) {
      let id = keying.id(old[row])
      let hashed = hash(id)
      guard sieve[Int(hashed >> 6) & mask] & (1 << UInt64(hashed & 63)) != 0 else { continue }
      if isDisplaced(id, hashed, old, new, keying: keying) { return true }
    }
    return false
  }

  @inlinable
  func isPaired(_ oldRow: Int, _ origin: Origin) -> Bool {
    newOffsets[oldRow] >= 0 && origins[Int(newOffsets[oldRow])] == origin
  }

  /// Whether the table holds a displaced row with this identifier.
  @inlinable
  func isDisplaced<Keying: RowKeying>(
    _ id: Keying.ID, _ hashed: UInt32, _ old: Rows<Keying.Row>, _ new: Rows<Keying.Row>,
    keying: Keying
  ) -> Bool {
    var slot = table.slot(of: hashed)
    while table.entries[slot].code != 0 {
      let entry = table.entries[slot]
      if entry.hash == hashed {
        let isOld = entry.code > 0
        let row = Int(isOld ? entry.code &- 1 : ~entry.code)
        let newRow = isOld ? Int(newOffsets[row]) : row
        if newRow >= 0, origins[newRow] == .displaced,
          keying.id(isOld ? old[row] : new[row]) == id
        {
          return true
        }
      }
      slot = table.slot(after: slot)
    }
    return false
  }
}
