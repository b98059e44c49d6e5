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
      list(workspace: &workspace, offset: start, oldCount: oldEnd - start)
    }
    updates.append(contentsOf: tail.reversed())
    isBeingComputed = false
    if moves.count > Self.fewMoves { offsets = Lazy() }
  }

  /// Lists the result of a join between equal ends.
  @usableFromInline
  mutating func list(workspace: inout Workspace, offset: Int, oldCount: Int) {
    deletes = workspace.oldRest.withoutPartner(workspace.newOffsets, offset: offset)
    inserts = workspace.newRest.withoutPartner(workspace.oldOffsets, offset: offset)
    moves = workspace.moves(oldCount: oldCount, offset: offset)
    workspace.updates.sort { $0.from < $1.from }
    for update in workspace.updates {
      updates.append(Move(from: offset + update.from, to: offset + update.to))
    }
  }
}
