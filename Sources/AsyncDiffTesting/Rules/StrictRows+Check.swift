import AsyncDiff

extension StrictRows {
  /// Redraws each updated row, and checks that the row was at the update's `from` before the batch.
  mutating func update(
    _ batch: BatchUpdates<Section>, from before: [Group]
  ) throws(BatchViolation) {
    for update in batch.itemUpdates {
      let row = before[update.from.section].rows[update.from.item]
      guard groups[update.to.section].rows[update.to.item].number == row.number else {
        throw BatchViolation(
          .wrongPlace,
          "itemUpdates: the row that was at \(update.from) is not at \(update.to) after the batch")
      }
      groups[update.to.section].rows[update.to.item].item = batch.snapshot.item(at: update.to)
    }
  }

  /// Redraws each updated section, and checks that the section was at the update's `from` before the batch.
  mutating func updateSections(
    _ batch: BatchUpdates<Section>, _ plan: SectionPlan
  ) throws(BatchViolation) {
    var updated: Set<Int> = []
    for update in batch.sectionUpdates {
      guard groups.indices.contains(update.to) else {
        throw BatchViolation(
          .outOfBounds,
          "sectionUpdates: \(update.to) is out of bounds; the number of sections is \(groups.count)"
        )
      }
      guard updated.insert(update.to).inserted else {
        throw BatchViolation(.namedTwice, "sectionUpdates: section \(update.to) is named twice")
      }
      guard plan.origins[update.to] == update.from else {
        throw BatchViolation(
          .wrongPlace,
          "sectionUpdates: the section that was at \(update.from) is not at \(update.to) after the batch"
        )
      }
      groups[update.to].content = batch.snapshot.sections[update.to].content
    }
  }

  /// Requires that the rows equal those of the batch's snapshot, and that the batch's cells belong to inserted or updated rows.
  func check(against batch: BatchUpdates<Section>) throws(BatchViolation) {
    for (offset, group) in groups.enumerated() {
      let id = batch.snapshot.sections[offset].diffIdentifier
      guard group.id == id else {
        throw BatchViolation(
          .wrongPlace,
          "section \(offset) is \(group.id) after the batch; the snapshot has \(id)")
      }
      guard Self.isCurrent(group.content, batch.snapshot.sections[offset].content) else {
        throw BatchViolation(
          .missingUpdate, "section \(offset) changed, but sectionUpdates does not name it")
      }
      for (item, row) in group.rows.enumerated() {
        try check(row, at: ItemPath(section: offset, item: item), against: batch.snapshot)
      }
    }
    try checkNodes(of: batch)
  }

  private func check(
    _ row: Row, at path: ItemPath, against snapshot: DiffableSnapshot<Section>
  ) throws(BatchViolation) {
    let item = snapshot.item(at: path)
    guard row.item.diffIdentifier == item.diffIdentifier else {
      throw BatchViolation(
        .wrongPlace,
        "\(path) shows \(row.item.diffIdentifier) after the batch; "
          + "the snapshot has \(item.diffIdentifier)")
    }
    guard Self.isCurrent(row.item, item) else {
      throw BatchViolation(.missingUpdate, "\(path) changed, but itemUpdates does not name it")
    }
  }

  /// Whether a shown value is the snapshot's; a value that contains a NaN is not equal to itself.
  private static func isCurrent<Value: Equatable>(_ shown: Value, _ value: Value) -> Bool {
    shown == value || value != value
  }

  private func checkNodes(of batch: BatchUpdates<Section>) throws(BatchViolation) {
    guard !batch.nodes.isEmpty else { return }
    let sections = Set(batch.sectionInserts)
    let items = Set(batch.itemInserts).union(batch.itemUpdates.map(\.to))
    for path in batch.nodes.keys where !items.contains(path) && !sections.contains(path.section) {
      throw BatchViolation(.strayNode, "nodes: \(path) is neither inserted nor updated")
    }
  }
}
