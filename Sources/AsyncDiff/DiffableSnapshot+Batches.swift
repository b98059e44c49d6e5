extension DiffableSnapshot {
  /// The stages that lead from this snapshot to another; none if nothing changed.
  ///
  /// - Parameter new: What the stages lead to.
  /// - Returns: The stages, without nodes.
  public func batches(to new: DiffableSnapshot) -> [BatchUpdates<Section>] {
    let change = Changeset(
      from: sections, to: new.sections, id: \.diffIdentifier, isContentEqual: { _, _ in false })
    var batch = BatchUpdates(
      snapshot: new, sectionDeletes: change.deletes, sectionInserts: change.inserts,
      sectionMoves: change.moves)
    for pair in change.updates {
      let items = Changeset(
        from: itemLists[pair.from], to: new.itemLists[pair.to], id: \.diffIdentifier,
        isContentEqual: { $0 == $1 && !new.marks.contains($1.diffIdentifier) })
      func before(_ item: Int) -> ItemPath { ItemPath(section: pair.from, item: item) }
      func after(_ item: Int) -> ItemPath { ItemPath(section: pair.to, item: item) }
      func move(_ move: Changeset.Move) -> ItemMove {
        ItemMove(from: before(move.from), to: after(move.to))
      }
      batch.itemDeletes += items.deletes.map(before)
      batch.itemInserts += items.inserts.map(after)
      batch.itemMoves += items.moves.map(move)
      batch.itemUpdates += items.updates.map(move)
    }
    return batch.isEmpty ? [] : [batch]
  }
}
