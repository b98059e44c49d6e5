extension Workspace {
  /// Enters the next old row into the table, or pairs it with the new row that waits there.
  ///
  /// The old rows after it are compared with the neighbours of its partner, on either side.
  @inlinable
  mutating func enterOld<Keying: RowKeying>(
    _ old: Rows<Keying.Row>, _ new: Rows<Keying.Row>, _ walk: inout Walk,
    keying: Keying, hash: IdentifierHash<Keying.ID>
  ) -> JoinOutcome {
    let row = walk.enteredOld
    walk.enteredOld &+= 1
    switch meet(row, ofOld: true, old, new, keying: keying, hash: hash) {
    case .nobody: return .joined
    case .failure(let outcome): return outcome
    case .partner(let partner):
      guard !walk.meets(row, partner) else {
        pair(row, partner, .inStep, isContentEqual: keying.isContentEqual(old[row], new[partner]))
        return .joined
      }
      pair(row, partner, .displaced, isContentEqual: keying.isContentEqual(old[row], new[partner]))
      for step in stride(from: 1, through: -1, by: -2) {
        var next = partner &+ step
        while walk.enteredOld < old.count, next >= 0, next < walk.enteredNew,
          origins[next] == .none, keying.id(old[walk.enteredOld]) == keying.id(new[next])
        {
          pair(
            walk.enteredOld, next, .displaced,
            isContentEqual: keying.isContentEqual(old[walk.enteredOld], new[next]))
          walk.enteredOld &+= 1
          next &+= step
        }
      }
      return .joined
    }
  }

  /// Enters the next new row into the table, or pairs it with the old row that waits there.
  @inlinable
  mutating func enterNew<Keying: RowKeying>(
    _ old: Rows<Keying.Row>, _ new: Rows<Keying.Row>, _ walk: inout Walk,
    keying: Keying, hash: IdentifierHash<Keying.ID>
  ) -> JoinOutcome {
    let row = walk.enteredNew
    walk.enteredNew &+= 1
    switch meet(row, ofOld: false, old, new, keying: keying, hash: hash) {
    case .nobody: return .joined
    case .failure(let outcome): return outcome
    case .partner(let partner):
      guard !walk.meets(partner, row) else {
        pair(partner, row, .inStep, isContentEqual: keying.isContentEqual(old[partner], new[row]))
        return .joined
      }
      pair(partner, row, .displaced, isContentEqual: keying.isContentEqual(old[partner], new[row]))
      for step in stride(from: 1, through: -1, by: -2) {
        var next = partner &+ step
        while walk.enteredNew < new.count, next >= 0, next < walk.enteredOld,
          newOffsets[next] < 0, keying.id(old[next]) == keying.id(new[walk.enteredNew])
        {
          pair(
            next, walk.enteredNew, .displaced,
            isContentEqual: keying.isContentEqual(old[next], new[walk.enteredNew]))
          walk.enteredNew &+= 1
          next &+= step
        }
      }
      return .joined
    }
  }

  @usableFromInline
  enum Meeting {
    /// The row is the first with its identifier, and waits in the table.
    case nobody
    case partner(Int)
    case failure(JoinOutcome)
  }

  /// Looks a row up in the table and enters it if its identifier is new there.
  @inlinable
  mutating func meet<Keying: RowKeying>(
    _ row: Int, ofOld isOld: Bool, _ old: Rows<Keying.Row>, _ new: Rows<Keying.Row>,
    keying: Keying, hash: IdentifierHash<Keying.ID>
  ) -> Meeting {
    let id = keying.id(isOld ? old[row] : new[row])
    let hashed = hash(id)
    var slot = table.slot(of: hashed)
    var steps = 0
    while true {
      let entry = table.entries[slot]
      if entry.code == 0 {
        let code = Int32(truncatingIfNeeded: isOld ? row &+ 1 : ~row)
        table.insert(IdentifierTable.Entry(hash: hashed, code: code), at: slot)
        return .nobody
      }
      if entry.hash == hashed {
        let isOfOld = entry.code > 0
        let other = Int(isOfOld ? entry.code &- 1 : ~entry.code)
        if keying.id(isOfOld ? old[other] : new[other]) == id {
          let waits = isOfOld ? newOffsets[other] < 0 : origins[other] == .none
          return isOfOld != isOld && waits ? .partner(other) : .failure(.hasDuplicates)
        }
      }
      slot = table.slot(after: slot)
      steps &+= 1
      if hash.folds, steps > IdentifierTable.longestChain { return .failure(.hasLongChains) }
    }
  }
}
