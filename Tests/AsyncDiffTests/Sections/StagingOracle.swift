/// Checks stages with rules that share no code with the library.
enum StagingOracle {
  /// The first broken rule, or nil.
  static func complaint(
    about batches: [BatchUpdates<Day>], from old: Days, to new: Days
  ) -> String? {
    var record = StageRecord(old)
    for (number, batch) in batches.enumerated() {
      if let complaint = record.perform(batch) { return "stage \(number): \(complaint)" }
      if let complaint = complaintAboutSections(record, batch.snapshot, old, new) {
        return "stage \(number): \(complaint)"
      }
    }
    guard batches.last?.snapshot ?? old == new else { return "leads to a wrong snapshot" }
    guard record.moved.count == record.fewestMoves else {
      return "more section moves than necessary"
    }
    guard batches.isEmpty || batches.count == record.stagesNeeded else {
      return "\(batches.count) stages, not \(record.stagesNeeded)"
    }
    return complaintAboutPairs(record, old, new)
  }

  /// Returns a complaint if a section's content changes without an update, or an update changes nothing.
  private static func complaintAboutSections(
    _ record: StageRecord, _ shown: Days, _ old: Days, _ new: Days
  ) -> String? {
    for section in shown.sections {
      let before = old.sections.first { $0.diffIdentifier == section.diffIdentifier }?.content
      let after = new.sections.first { $0.diffIdentifier == section.diffIdentifier }?.content
      let isNew = before == nil || record.updatedSections.contains(section.diffIdentifier)
      guard section.content == (isNew ? after : before) else { return "wrong section content" }
      if record.updatedSections.contains(section.diffIdentifier), before == after {
        return "needless update"
      }
    }
    return nil
  }

  /// Returns a complaint if an identifier has fewer pairs than possible, or the updates are not the pairs that differ.
  private static func complaintAboutPairs(
    _ record: StageRecord, _ old: Days, _ new: Days
  ) -> String? {
    var balance: [Int: (old: Int, new: Int, pairs: Int)] = [:]
    for section in old.sections.indices {
      for item in old.items(in: section) { balance[item.id, default: (0, 0, 0)].old += 1 }
    }
    for (section, origins) in record.rows.origins.enumerated() {
      for (offset, origin) in origins.enumerated() {
        let item = new.item(at: ItemPath(section: section, item: offset))
        balance[item.id, default: (0, 0, 0)].new += 1
        guard let origin else { continue }
        guard old.item(at: origin).id == item.id else {
          return "pairs items with different identifiers"
        }
        guard (old.item(at: origin) != item) == record.updated.contains(origin)
        else { return "updates do not match the changes" }
        balance[item.id, default: (0, 0, 0)].pairs += 1
      }
    }
    return balance.values.allSatisfy { $0.pairs == min($0.old, $0.new) }
      ? nil : "pairs too few items"
  }
}
