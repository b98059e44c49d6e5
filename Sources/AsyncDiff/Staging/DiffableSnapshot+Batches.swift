extension DiffableSnapshot {
  /// A closure that compares two snapshots; created where the section's type is known, so that the compiler specializes it.
  @usableFromInline typealias Compare = @Sendable (Self, Self) -> [BatchUpdates<Section>]
}

extension DiffableSnapshot {
  /// Returns the stages that lead from this snapshot to another; empty if nothing changed.
  ///
  /// ```swift
  /// for stage in shown.batches(to: received) {
  ///   try await surface.performBatchUpdates(stage, animated: true)
  /// }
  /// ```
  /// A collection view accepts each stage. Usually there is only one; there are three only if items leave deleted sections and
  /// items, perhaps the same ones, enter inserted sections. Items keep their identity across sections. Items and sections that
  /// are marked in `new` count as changed. The items of a section are not compared if both versions share their storage.
  ///
  /// - Parameter new: The snapshot to which the stages lead.
  /// - Returns: The stages, without cells.
  /// - Complexity: Expected O(*n* + *k* log *k*) for *n* items in sections that do not share their storage, if *k* of
  ///   these items changed their order.
  @inlinable
  public func batches(to new: DiffableSnapshot) -> [BatchUpdates<Section>] {
    let pairs = Changeset(from: sections, to: new.sections, keying: SectionKeying<Section>())
    let (oldCounts, newCounts) = (itemCounts, new.itemCounts)
    var change = SectionedChange(
      from: (sections, oldCounts), to: (new.sections, newCounts), sections: pairs)
    for pair in pairs.updates where sections[pair.from].content != new.sections[pair.to].content {
      change.operations.sectionUpdates.append(pair)
    }
    return batches(change, oldCounts: oldCounts, newCounts: newCounts, to: new)
  }

  @usableFromInline
  func batches(
    _ change: SectionedChange, oldCounts: [Int], newCounts: [Int], to new: DiffableSnapshot
  ) -> [BatchUpdates<Section>] {
    let change = new.addingMarks(to: change, of: sections.count)
    let plan = StagePlan(change, oldCount: sections.count, newCount: new.sections.count)
    var (before, counts) = (self, oldCounts)
    return plan.stages.enumerated().map { number, operations in
      let isLast = number == plan.stages.count - 1
      let after = isLast ? new : snapshot(after: number, of: plan, to: new)
      let countsAfter = isLast ? newCounts : after.itemCounts
      defer { (before, counts) = (after, countsAfter) }
      var batch = BatchUpdates(from: before, to: after, operations)
      batch.itemCounts = (counts, countsAfter)
      return batch
    }
  }

  /// The snapshot after a stage other than the last; each section keeps its old content until the last stage.
  private func snapshot(
    after stage: Int, of plan: StagePlan, to newer: DiffableSnapshot
  ) -> DiffableSnapshot {
    var shown: [ShownSection<Section>] = []
    shown.reserveCapacity(plan.sections.count)
    for (place, planned) in plan.sections.enumerated() {
      if let old = planned.old {
        shown.append(sections[old])
        if stage < plan.itemStage { continue }
      } else if let new = planned.new {
        shown.append(newer.sections[new])
      }
      if stage >= plan.itemStage, let new = planned.new {
        shown[place].rows = newer.sections[new].rows
      } else if !planned.passing.isEmpty {
        shown[place].editItems { $0.remove(at: planned.passing.sorted()) }
      }
    }
    return DiffableSnapshot(shown: shown)
  }
}

extension DiffableSnapshot {
  /// Adds the marked sections and items of this snapshot to a change, as updates.
  private func addingMarks(to change: SectionedChange, of oldCount: Int) -> SectionedChange {
    guard !marks.isEmpty else { return change }
    var change = change
    let pairs = change.sections.offsets(from: oldCount)
    let sections = marks.sections.compactMap { index(ofSection: $0) }
    let marked = sections.compactMap { new in
      pairs.old(of: new).map { Changeset.Move(from: $0, to: new) }
    }
    change.operations.sectionUpdates = Set(change.operations.sectionUpdates).union(marked)
      .sorted { $0.from < $1.from }
    let map = PathMap.Step(change.operations, of: oldCount)
    var redrawn = marks.items.compactMap { path(ofItem: $0) }
    // The first path of an item may be in another section than the marked one.
    if hasRepeatedItems { redrawn += sections.flatMap(paths(inSection:)) }
    let items = redrawn.compactMap { new in
      map.oldPath(of: new).map { ItemPath.Move(from: $0, to: new) }
    }
    change.operations.itemUpdates = Set(change.operations.itemUpdates).union(items)
      .sorted { $0.from < $1.from }
    return change
  }
}
