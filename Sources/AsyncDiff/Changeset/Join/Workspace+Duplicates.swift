extension Workspace {
  /// Whether a row that was paired in step has the identifier of one that was paired out of step.
  ///
  /// Only then can pairs of one identifier cross. The table, which is no longer needed, is filled
  /// with the displaced rows, so sparsely that most rows in step find an empty slot.
  ///
  /// - Complexity: Expected O(*n*) for *n* rows in disorder.
  @inlinable
  mutating func mayHaveCrossingPairs<Keying: RowKeying>(
    _ old: Rows<Keying.Row>, keying: Keying, hash: IdentifierHash<Keying.ID>
  ) -> Bool {
    guard disorder.count > 0 else { return false }
    let rows = disorder.rows(newOffsets, of: old.count)
    table.reset(expecting: disorder.count &* 4)
    for row in rows where isPaired(row, .displaced) {
      let hashed = hash(keying.id(old[row]))
      var slot = table.slot(of: hashed)
      while table.entries[slot].code != 0 { slot = table.slot(after: slot) }
      let code = Int32(truncatingIfNeeded: row &+ 1)
      table.insert(IdentifierTable.Entry(hash: hashed, code: code), at: slot)
    }
    for row in rows where isPaired(row, .inStep) {
      let id = keying.id(old[row])
      let hashed = hash(id)
      var slot = table.slot(of: hashed)
      while table.entries[slot].code != 0 {
        let entry = table.entries[slot]
        if entry.hash == hashed, keying.id(old[Int(entry.code &- 1)]) == id { return true }
        slot = table.slot(after: slot)
      }
    }
    return false
  }

  @inlinable
  func isPaired(_ oldRow: Int, _ origin: Origin) -> Bool {
    newOffsets[oldRow] >= 0 && origins[Int(newOffsets[oldRow])] == origin
  }
}
