/// Edits of sections, by identifier. An edit that throws has changed nothing.
///
/// A section that enters the snapshot is asked for its items then.
extension DiffableSnapshot {
  /// Adds sections at the end.
  ///
  /// - Complexity: O(log *n*) for each item added, after a first look-up of O(*n*) for *n* items.
  /// - Throws: ``EditError`` for a section or an item that is there already.
  public mutating func appendSections(_ sections: [Section]) throws(EditError) {
    try insert(sections, at: self.sections.count, "appendSections(_:)")
  }

  /// Adds sections before another.
  ///
  /// - Complexity: O(sections), and O(log *n*) for each item added, after a first look-up of O(*n*).
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
  /// - Complexity: O(sections), and O(log *n*) for each item added, after a first look-up of O(*n*).
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
    let numbers = doomed.map { sections[$0].diffIdentifier }
    shown = sections.indices.filter { !doomed.contains($0) }.map { sections[$0] }
    renumber { tables in
      for id in numbers { tables.sections[id] = nil }
    }
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

  /// Has some sections drawn anew, and all their items by new nodes, though their content is equal.
  ///
  /// - Throws: ``EditError`` for an unknown section.
  public mutating func reloadSections(_ ids: some Sequence<SectionID>) throws(EditError) {
    let ids = Set(ids)
    let items = try itemIDs(inSections: ids, "reloadSections(_:)")
    marks.add { marks in
      marks.sections.formUnion(ids)
      marks.reloaded.formUnion(items)
    }
  }

  /// Has some sections drawn anew, and all their items by the nodes they have, though their content is
  /// equal.
  ///
  /// - Throws: ``EditError`` for an unknown section.
  public mutating func reconfigureSections(_ ids: some Sequence<SectionID>) throws(EditError) {
    let ids = Set(ids)
    let items = try itemIDs(inSections: ids, "reconfigureSections(_:)")
    marks.add { marks in
      marks.sections.formUnion(ids)
      marks.reconfigured.formUnion(items)
    }
  }

  /// Puts newer sections in the place of those with the same identifiers: their content and their items.
  ///
  /// - Complexity: O(sections), and the items of those given.
  /// - Throws: ``EditError`` for a section that is not there, or an item that another section has.
  public mutating func replaceSections(_ sections: [Section]) throws(EditError) {
    let call = "replaceSections(_:)"
    var copy = self
    var given: Set<SectionID> = []
    for section in sections {
      let id = section.diffIdentifier
      guard given.insert(id).inserted else { throw EditError(call, .duplicateSection(id)) }
      copy.shown[try offset(ofSection: id, call)] = ShownSection(section)
    }
    let places = given.compactMap { index(ofSection: $0) }
    copy.index = SnapshotIndex()
    var items: Set<ItemID> = []
    for item in places.flatMap({ copy.sections[$0].items }) {
      let id = item.diffIdentifier
      let isElsewhere = path(ofItem: id).map { !places.contains($0.section) } ?? false
      guard items.insert(id).inserted, !isElsewhere else {
        throw EditError(call, .duplicateItem(id))
      }
    }
    self = copy
  }

  private func itemIDs(
    inSections ids: some Sequence<SectionID>, _ call: String
  ) throws(EditError) -> [ItemID] {
    var items: [ItemID] = []
    for id in ids {
      items += sections[try offset(ofSection: id, call)].items.map { $0.diffIdentifier }
    }
    return items
  }

  private mutating func insert(
    _ sections: [Section], at offset: Int, _ call: String
  ) throws(EditError) {
    let added = sections.map { ShownSection($0) }
    try requireNew(added, call)
    let isAtEnd = offset == self.sections.count
    self.shown.insert(contentsOf: added, at: offset)
    let add = { (tables: inout Tables) in
      for (place, section) in added.enumerated() {
        let number = tables.offsets.count
        tables.addSection(section.diffIdentifier, at: offset + place)
        for (item, model) in section.items.enumerated() {
          tables.set(Tables.Place(section: number, hint: item), for: model.diffIdentifier)
        }
      }
    }
    if isAtEnd { updateTables(add) } else { renumber(add) }
  }

  /// Moves a section to where the section now at `target` stands.
  private mutating func move(_ offset: Int, to target: Int) {
    let place = offset < target ? target - 1 : target
    shown.insert(shown.remove(at: offset), at: place)
    renumber { _ in }
  }

  /// Changes the tables along with an edit after which sections have other offsets.
  private mutating func renumber(_ change: (inout Tables) -> Void) {
    let sections = sections
    updateTables { tables in
      change(&tables)
      for number in tables.offsets.indices { tables.offsets[number] = -1 }
      for (offset, section) in sections.enumerated() {
        if let number = tables.sections[section.diffIdentifier] { tables.offsets[number] = offset }
      }
    }
  }
}
