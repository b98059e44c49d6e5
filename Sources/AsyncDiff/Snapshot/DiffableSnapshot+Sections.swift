/// Edits of sections, by identifier. An edit that throws has changed nothing.
///
/// The items of a section are read when the section enters the snapshot. Each edit costs O(*n*) for *n* items of the
/// snapshot, because it looks their places up.
extension DiffableSnapshot {
  /// Adds sections at the end.
  ///
  /// - Parameter sections: The sections.
  /// - Complexity: O(*n*) for *n* items of the snapshot.
  /// - Throws: ``EditError`` for a section or an item that is there already.
  public mutating func appendSections(_ sections: [Section]) throws(EditError) {
    try insert(sections, at: self.sections.count)
  }

  /// Adds sections before another one.
  ///
  /// - Parameters:
  ///   - sections: The sections.
  ///   - id: The identifier of the section that follows them.
  /// - Complexity: O(*n*) for *n* items of the snapshot.
  /// - Throws: ``EditError`` for an unknown `id`, or for a section or an item that is there
  ///   already.
  public mutating func insertSections(
    _ sections: [Section], beforeSection id: SectionID
  ) throws(EditError) {
    try insert(sections, at: try offset(ofSection: id))
  }

  /// Adds sections after another one.
  ///
  /// - Parameters:
  ///   - sections: The sections.
  ///   - id: The identifier of the section before them.
  /// - Complexity: O(*n*) for *n* items of the snapshot.
  /// - Throws: ``EditError`` for an unknown `id`, or for a section or an item that is there
  ///   already.
  public mutating func insertSections(
    _ sections: [Section], afterSection id: SectionID
  ) throws(EditError) {
    try insert(sections, at: try offset(ofSection: id) + 1)
  }

  /// Removes sections with their items.
  ///
  /// - Parameter ids: The identifiers of the sections.
  /// - Complexity: O(*n*) for *n* items of the snapshot.
  /// - Throws: ``EditError`` for an unknown section.
  public mutating func deleteSections(_ ids: some Sequence<SectionID>) throws(EditError) {
    var doomed: Set<Int> = []
    for id in ids { doomed.insert(try offset(ofSection: id)) }
    edit { sections in
      sections = sections.indices.filter { !doomed.contains($0) }.map { sections[$0] }
    }
  }

  /// Moves a section with its items before another one.
  ///
  /// - Parameters:
  ///   - id: The identifier of the section.
  ///   - other: The identifier of the section that follows it then.
  /// - Complexity: O(*n*) for *n* items of the snapshot.
  /// - Throws: ``EditError`` if one of the two is unknown.
  public mutating func moveSection(
    _ id: SectionID, beforeSection other: SectionID
  ) throws(EditError) {
    move(try offset(ofSection: id), to: try offset(ofSection: other))
  }

  /// Moves a section with its items after another one.
  ///
  /// - Parameters:
  ///   - id: The identifier of the section.
  ///   - other: The identifier of the section before it then.
  /// - Complexity: O(*n*) for *n* items of the snapshot.
  /// - Throws: ``EditError`` if one of the two is unknown.
  public mutating func moveSection(
    _ id: SectionID, afterSection other: SectionID
  ) throws(EditError) {
    move(try offset(ofSection: id), to: try offset(ofSection: other) + 1)
  }

  /// Marks sections to be drawn anew, with new cells for their items, even if their content is
  /// equal.
  ///
  /// - Parameter ids: The identifiers of the sections.
  /// - Throws: ``EditError`` for an unknown section.
  public mutating func reloadSections(_ ids: some Sequence<SectionID>) throws(EditError) {
    try mark(sections: ids, keepsNodes: false)
  }

  /// Marks sections to be drawn anew, their items by the cells they have, even if their content is
  /// equal.
  ///
  /// - Parameter ids: The identifiers of the sections.
  /// - Throws: ``EditError`` for an unknown section.
  public mutating func reconfigureSections(_ ids: some Sequence<SectionID>) throws(EditError) {
    try mark(sections: ids, keepsNodes: true)
  }

  /// Replaces sections by newer ones with the same identifiers: their content and their items.
  ///
  /// - Parameter sections: The newer sections.
  /// - Complexity: O(*n*) for *n* items of the snapshot.
  /// - Throws: ``EditError`` for an unknown section, one that is given twice, or an item that
  ///   another section has.
  public mutating func replaceSections(_ sections: [Section]) throws(EditError) {
    var copy = self
    var given: Set<SectionID> = []
    for section in sections {
      let id = section.diffIdentifier
      guard given.insert(id).inserted else { throw EditError(.duplicateSection(id)) }
      copy.shown[try offset(ofSection: id)] = ShownSection(section)
    }
    copy.index = SnapshotIndex()
    let places = Set(given.compactMap { index(ofSection: $0) })
    var items: Set<ItemID> = []
    for item in places.flatMap({ copy.sections[$0].rows }) {
      let id = item.diffIdentifier
      let isElsewhere = path(ofItem: id).map { !places.contains($0.section) } ?? false
      guard items.insert(id).inserted, !isElsewhere else {
        throw EditError(.duplicateItem(id))
      }
    }
    self = copy
  }

  private mutating func insert(
    _ sections: [Section], at offset: Int, _ call: String = #function
  ) throws(EditError) {
    let added = sections.map { ShownSection($0) }
    try requireNew(added, call)
    edit { $0.insert(contentsOf: added, at: offset) }
  }

  /// Moves a section to the place of the section that is now at `target`.
  private mutating func move(_ offset: Int, to target: Int) {
    let place = offset < target ? target - 1 : target
    edit { $0.insert($0.remove(at: offset), at: place) }
  }
}
