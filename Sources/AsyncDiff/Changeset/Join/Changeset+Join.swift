extension Changeset {
  /// Pairs the rows with equal identifiers at both ends, then joins the rows between them.
  @inlinable
  init<Keying: RowKeying>(
    from old: RowBuffer<Keying.Row>, to new: RowBuffer<Keying.Row>,
    keying: Keying, workspace: inout Workspace
  ) {
    require(
      max(old.count, new.count) < Int32.max,
      "Changeset(from:to:): needs lists of at most \(Int32.max - 1) rows; "
        + "got \(max(old.count, new.count)) rows")
    let shorter = min(old.count, new.count)
    var updates: [Move] = []
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
    guard start < oldEnd, start < newEnd else {
      self.init(
        deletes: Array(start..<oldEnd), inserts: Array(start..<newEnd),
        updates: updates + tail.reversed())
      return
    }
    workspace.join(old[start..<oldEnd], new[start..<newEnd], keying: keying)
    self.init(joined: &workspace, from: start, to: oldEnd, updates: updates, tail.reversed())
  }

  /// Creates a changeset from a join; `updates` has the updates of the rows before the joined ones, `tail` those of the rows
  /// after them.
  @usableFromInline
  init(
    joined workspace: inout Workspace, from offset: Int, to oldEnd: Int, updates: [Move],
    _ tail: [Move]
  ) {
    workspace.updates.sort { $0.from < $1.from }
    self.init(
      deletes: workspace.oldRest.withoutPartner(workspace.newOffsets, offset: offset),
      inserts: workspace.newRest.withoutPartner(workspace.oldOffsets, offset: offset),
      moves: workspace.moves(oldCount: oldEnd - offset, offset: offset),
      updates: updates
        + workspace.updates.map { Move(from: offset + $0.from, to: offset + $0.to) } + tail)
  }
}
