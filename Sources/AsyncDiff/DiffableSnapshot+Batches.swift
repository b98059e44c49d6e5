extension DiffableSnapshot {
  /// The stages that lead from this snapshot to another; none if nothing changed.
  ///
  /// ```swift
  /// for stage in shown.batches(to: received) { await surface.performBatchUpdates(stage, animated: true) }
  /// ```
  /// Each stage is one that a collection view accepts, and there are as few as can be: mostly one, at most
  /// three. Items keep their identity across sections. Items marked in `new` count as changed.
  ///
  /// - Parameter new: What the stages lead to.
  /// - Returns: The stages, without nodes.
  /// - Complexity: Expected O(*n* + *k* log *k*) for *n* items of which *k* changed their order.
  @inlinable
  public func batches(to new: DiffableSnapshot) -> [BatchUpdates<Section>] {
    guard new.hasMarks else { return batches(to: new, keying: DiffableKeying()) }
    return batches(
      to: new,
      keying: ClosureKeying(
        id: { $0.diffIdentifier },
        isContentEqual: { $0 == $1 && !new.isMarked($1.diffIdentifier) }))
  }

  @inlinable
  func batches<Keying: RowKeying>(
    to new: DiffableSnapshot, keying: Keying
  ) -> [BatchUpdates<Section>] where Keying.Row == Section.Item {
    // No section counts as equal, so that `updates` names each that stays.
    let sections = Changeset(
      from: sections, to: new.sections, id: { $0.diffIdentifier },
      isContentEqual: { _, _ in false })
    return batches(
      SectionedChange(from: lists, to: new.lists, sections: sections, keying: keying), to: new)
  }

  @usableFromInline
  func batches(_ change: SectionedChange, to new: DiffableSnapshot) -> [BatchUpdates<Section>] {
    let stages = StagePlan(
      change, oldCounts: lists.map { $0.count }, newCounts: new.lists.map { $0.count }
    ).stages()
    return stages.enumerated().map { number, stage in
      BatchUpdates(
        snapshot: number == stages.count - 1 ? new : snapshot(after: stage, to: new),
        sectionDeletes: stage.sectionDeletes, sectionInserts: stage.sectionInserts,
        sectionMoves: stage.sectionMoves, itemDeletes: stage.itemDeletes,
        itemInserts: stage.itemInserts, itemMoves: stage.itemMoves, itemUpdates: stage.itemUpdates)
    }
  }

  /// What is shown between two stages.
  private func snapshot(after stage: Stage, to new: DiffableSnapshot) -> DiffableSnapshot {
    var snapshot = DiffableSnapshot()
    for staged in stage.sections {
      switch (staged.section.old, staged.section.new, staged.items) {
      case (let old?, _, .allOld):
        snapshot.sections.append(sections[old])
        snapshot.itemLists.append(lists[old])
      case (_, let offset?, .allNew):
        snapshot.sections.append(new.sections[offset])
        snapshot.itemLists.append(new.lists[offset])
      case (let old, let offset, .merged(let items)):
        let oldItems = old.map { lists[$0] } ?? []
        let newItems = offset.map { new.lists[$0] } ?? []
        let section = old.map { sections[$0] } ?? offset.map { new.sections[$0] }
        guard let section else { continue }
        snapshot.sections.append(section)
        snapshot.itemLists.append(
          items.map { item in
            switch item {
            case .old(let old), .both(let old, _): oldItems[old]
            case .new(let new): newItems[new]
            }
          })
      default:
        preconditionFailure("a stage takes items of a list that does not have the section")
      }
    }
    return snapshot
  }

  @usableFromInline
  var lists: [[Item]] { itemLists }

  @usableFromInline
  var hasMarks: Bool { !marks.isEmpty }

  @usableFromInline
  func isMarked(_ id: ItemID) -> Bool { marks.contains(id) }
}
