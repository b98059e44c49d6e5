/// Edits of sections, by identifier. An edit that throws has changed nothing.
///
/// A section that enters the snapshot is asked for its items then.
extension DiffableSnapshot {
  /// Adds sections at the end.
  ///
  /// - Complexity: O(items added), after a first look-up of O(items).
  /// - Throws: ``EditError`` for a section or an item that is there already.
  public mutating func appendSections(_ sections: [Section]) throws(EditError) {
    let lists = sections.map { $0.items }
    try requireNew(sections, lists, "appendSections(_:)")
    var tables = index.take()
    for (section, list) in zip(sections, lists) {
      tables?.addSection(section.diffIdentifier, at: itemLists.count)
      tables?.addItems(list, from: ItemPath(section: itemLists.count, item: 0))
      self.sections.append(section)
      itemLists.append(list)
    }
    index = SnapshotIndex(tables)
  }

  /// Adds sections before another.
  ///
  /// - Complexity: O(items).
  /// - Throws: ``EditError`` for an unknown section to stand before, or for a section or an item that
  ///   is there already.
  public mutating func insertSections(
    _ sections: [Section], beforeSection id: SectionID
  ) throws(EditError) {
    let call = "insertSections(_:beforeSection:)"
    try insert(sections, at: try offset(ofSection: id, call), call)
  }

  /// Adds sections after another.
  ///
  /// - Complexity: O(items).
  /// - Throws: ``EditError`` for an unknown section to stand after, or for a section or an item that
  ///   is there already.
  public mutating func insertSections(
    _ sections: [Section], afterSection id: SectionID
  ) throws(EditError) {
    let call = "insertSections(_:afterSection:)"
    try insert(sections, at: try offset(ofSection: id, call) + 1, call)
  }

  /// Removes sections with their items.
  ///
  /// - Complexity: O(sections).
  /// - Throws: ``EditError`` for an unknown section.
  public mutating func deleteSections(_ ids: some Sequence<SectionID>) throws(EditError) {
    var doomed: Set<Int> = []
    for id in ids { doomed.insert(try offset(ofSection: id, "deleteSections(_:)")) }
    let kept = itemLists.indices.filter { !doomed.contains($0) }
    sections = kept.map { sections[$0] }
    itemLists = kept.map { itemLists[$0] }
    index = SnapshotIndex()
  }

  /// Moves a section with its items to stand before another.
  ///
  /// - Complexity: O(sections).
  /// - Throws: ``EditError`` where one of the two is unknown.
  public mutating func moveSection(
    _ id: SectionID, beforeSection other: SectionID
  ) throws(EditError) {
    let call = "moveSection(_:beforeSection:)"
    move(try offset(ofSection: id, call), to: try offset(ofSection: other, call))
  }

  /// Moves a section with its items to stand after another.
  ///
  /// - Complexity: O(sections).
  /// - Throws: ``EditError`` where one of the two is unknown.
  public mutating func moveSection(
    _ id: SectionID, afterSection other: SectionID
  ) throws(EditError) {
    let call = "moveSection(_:afterSection:)"
    move(try offset(ofSection: id, call), to: try offset(ofSection: other, call) + 1)
  }

  /// Has all items of some sections drawn anew by new nodes, though their content is equal.
  ///
  /// - Throws: ``EditError`` for an unknown section.
  public mutating func reloadSections(_ ids: some Sequence<SectionID>) throws(EditError) {
    marks.reloaded.formUnion(try itemIDs(inSections: ids, "reloadSections(_:)"))
  }

  /// Has all items of some sections drawn anew by the nodes they have, though their content is equal.
  ///
  /// - Throws: ``EditError`` for an unknown section.
  public mutating func reconfigureSections(_ ids: some Sequence<SectionID>) throws(EditError) {
    marks.reconfigured.formUnion(try itemIDs(inSections: ids, "reconfigureSections(_:)"))
  }

  private func itemIDs(
    inSections ids: some Sequence<SectionID>, _ call: String
  ) throws(EditError) -> [ItemID] {
    var items: [ItemID] = []
    for id in ids {
      items += itemLists[try offset(ofSection: id, call)].map { $0.diffIdentifier }
    }
    return items
  }

  private mutating func insert(
    _ sections: [Section], at offset: Int, _ call: String
  ) throws(EditError) {
    let lists = sections.map { $0.items }
    try requireNew(sections, lists, call)
    self.sections.insert(contentsOf: sections, at: offset)
    itemLists.insert(contentsOf: lists, at: offset)
    index = SnapshotIndex()
  }

  /// Moves a section to where the section now at `target` stands.
  private mutating func move(_ offset: Int, to target: Int) {
    let place = offset < target ? target - 1 : target
    sections.insert(sections.remove(at: offset), at: place)
    itemLists.insert(itemLists.remove(at: offset), at: place)
    index = SnapshotIndex()
  }
}
