extension Changeset {
  /// Compares the equal ends, joins the rows between them, and lists the result.
  @inlinable
  init<Keying: RowKeying>(
    from old: Rows<Keying.Row>, to new: Rows<Keying.Row>,
    keying: Keying, workspace: inout Workspace
  ) {
    precondition(
      max(old.count, new.count) < Int32.max,
      "Changeset(from:to:): a list has room for \(Int32.max - 1) rows; got \(max(old.count, new.count))"
    )
    self.init(oldCount: old.count)
    isBeingComputed = true
    let shorter = min(old.count, new.count)
    var start = 0
    while start < shorter {
      let likeness = keying.likeness(old[start], new[start])
      guard likeness != .none else { break }
      if likeness == .identifier { updates.append(Move(from: start, to: start)) }
      start &+= 1
    }
    var tail: [Move] = []
    var oldEnd = old.count
    var newEnd = new.count
    while oldEnd > start, newEnd > start {
      let likeness = keying.likeness(old[oldEnd &- 1], new[newEnd &- 1])
      guard likeness != .none else { break }
      oldEnd &-= 1
      newEnd &-= 1
      if likeness == .identifier { tail.append(Move(from: oldEnd, to: newEnd)) }
    }

    if start == oldEnd {
      inserts = Array(start..<newEnd)
    } else if start == newEnd {
      deletes = Array(start..<oldEnd)
    } else {
      workspace.join(
        old[start..<oldEnd], new[start..<newEnd], keying: keying)
      list(workspace: &workspace, offset: start, oldCount: oldEnd - start, newCount: newEnd - start)
    }
    updates.append(contentsOf: tail.reversed())
    isBeingComputed = false
    if moves.count > Self.fewMoves { offsets = Lazy() }
  }

  /// Lists the result of a join between equal ends.
  @usableFromInline
  mutating func list(workspace: inout Workspace, offset: Int, oldCount: Int, newCount: Int) {
    deletes = offsets(
      of: oldCount, count: oldCount - workspace.pairCount, offset: offset
    ) { workspace.newOffsets[$0] < 0 }
    inserts = offsets(
      of: newCount, count: newCount - workspace.pairCount, offset: offset
    ) { workspace.origins[$0] == .none }
    moves = workspace.moves(oldCount: oldCount, offset: offset)
    if workspace.disorder.count > 0 { workspace.updates.sort { $0.from < $1.from } }
    for update in workspace.updates {
      updates.append(Move(from: offset + update.from, to: offset + update.to))
    }
  }

  /// The offsets that satisfy the predicate; there must be exactly `count`.
  private func offsets(
    of rows: Int, count: Int, offset: Int, where isIncluded: (Int) -> Bool
  ) -> [Int] {
    guard count > 0 else { return [] }
    // Each row is written, and counted only if it is included: there is no branch to mispredict.
    var offsets = [Int](repeating: 0, count: count + 1)
    var end = 0
    for row in 0..<rows {
      offsets[end] = offset + row
      end &+= isIncluded(row) ? 1 : 0
    }
    offsets.removeLast()
    return offsets
  }
}

extension Workspace {
  /// Pairs the rows of two lists.
  @inlinable
  mutating func join<Keying: RowKeying>(
    _ old: Rows<Keying.Row>, _ new: Rows<Keying.Row>, keying: Keying,
    hash: IdentifierHash<Keying.ID> = IdentifierHash()
  ) {
    reset(old: old.count, new: new.count)
    switch joinInStep(old, new, keying: keying, hash: hash) {
    case .joined:
      guard mayHaveCrossingPairs(old, keying: keying, hash: hash) else { return }
      joinAll(old, new, keying: keying, hash: hash)
      hasDuplicates = true
    case .hasDuplicates:
      joinAll(old, new, keying: keying, hash: hash)
      hasDuplicates = true
    case .isOutOfStep:
      joinAll(old, new, keying: keying, hash: hash)
    case .hasLongChains:
      join(old, new, keying: keying, hash: IdentifierHash(folding: false))
    }
  }

  /// Pairs all rows in order; earlier pairs are removed.
  @inlinable
  mutating func joinAll<Keying: RowKeying>(
    _ old: Rows<Keying.Row>, _ new: Rows<Keying.Row>,
    keying: Keying, hash: IdentifierHash<Keying.ID>
  ) {
    reset(old: old.count, new: new.count)
    joinInOrder(
      oldCount: old.count, newCount: new.count, hash: hash,
      oldID: { keying.id(old[$0]) }, newID: { keying.id(new[$0]) })
    var next = 0
    for row in 0..<new.count where partners[row] >= 0 {
      let partner = Int(partners[row])
      pair(
        partner, row, partner >= next ? .inStep : .displaced,
        isContentEqual: keying.isContentEqual(old[partner], new[row]))
      next = max(next, partner + 1)
    }
  }
}
