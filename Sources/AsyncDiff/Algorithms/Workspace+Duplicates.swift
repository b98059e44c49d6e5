extension Workspace {
  /// Whether a row that was paired in step may have the identifier of one that was paired out of step.
  ///
  /// Only then can pairs of one identifier cross. A sieve of 64 bits for each displaced row, indexed by a
  /// cheap hash, lets through about one unique identifier in 64; those are looked up in the table.
  ///
  /// - Complexity: O(*n*) cheap hashes if a row was displaced, else O(1).
  @inlinable
  func mayHaveCrossingPairs<Keying: RowKeying>(
    _ old: Span<Keying.Row>, _ new: Span<Keying.Row>,
    keying: Keying, hash: IdentifierHash<Keying.ID>
  ) -> Bool {
    guard !displaced.isEmpty else { return false }
    var words = 1
    while words < displaced.count { words &*= 2 }
    let mask = words - 1
    var sieve = Scratch<UInt64>()
    sieve.reset(count: words, to: 0)
    for row in displaced {
      let bit = hash.sieve(keying.id(old[Int(row)]))
      sieve[Int(bit >> 6) & mask] |= 1 << UInt64(bit & 63)
    }
    for row in 0..<new.count where origins[row] == .inStep {
      let id = keying.id(new[row])
      let bit = hash.sieve(id)
      guard sieve[Int(bit >> 6) & mask] & (1 << UInt64(bit & 63)) != 0 else { continue }
      if isDisplaced(id, old, new, keying: keying, hash: hash) { return true }
    }
    return false
  }

  /// Whether the table holds a displaced row with this identifier.
  @inlinable
  func isDisplaced<Keying: RowKeying>(
    _ id: Keying.ID, _ old: Span<Keying.Row>, _ new: Span<Keying.Row>,
    keying: Keying, hash: IdentifierHash<Keying.ID>
  ) -> Bool {
    let hashed = hash(id)
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
