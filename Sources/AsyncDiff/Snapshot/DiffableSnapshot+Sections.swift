/// Edits of sections by identifier.
extension DiffableSnapshot {
  /// Adds sections at the end; throws for a duplicate section or item.
  public mutating func appendSections(_ sections: [Section]) throws(EditError) {
    try insert(sections, at: self.sections.count)
  }

  /// Inserts sections before another section; throws for an unknown `id`, or a duplicate section or item.
  public mutating func insertSections(
    _ sections: [Section], beforeSection id: SectionID
  ) throws(EditError) {
    try insert(sections, at: try offset(ofSection: id))
  }

  /// Inserts sections after another section; throws for an unknown `id`, or a duplicate section or item.
  public mutating func insertSections(
    _ sections: [Section], afterSection id: SectionID
  ) throws(EditError) {
    try insert(sections, at: try offset(ofSection: id) + 1)
  }

  /// Removes sections with their items; throws for an unknown section.
  public mutating func deleteSections(_ ids: some Sequence<SectionID>) throws(EditError) {
    var doomed: Set<Int> = []
    for id in ids { doomed.insert(try offset(ofSection: id)) }
    edit { sections in
      sections = sections.indices.filter { !doomed.contains($0) }.map { sections[$0] }
    }
  }

  /// Moves a section with its items before another section; throws if either section is unknown.
  public mutating func moveSection(
    _ id: SectionID, beforeSection other: SectionID
  ) throws(EditError) {
    move(try offset(ofSection: id), to: try offset(ofSection: other))
  }

  /// Moves a section with its items after another section; throws if either section is unknown.
  public mutating func moveSection(
    _ id: SectionID, afterSection other: SectionID
  ) throws(EditError) {
    move(try offset(ofSection: id), to: try offset(ofSection: other) + 1)
  }

  /// Marks sections so that they are redrawn with new cells, even if their content is equal; throws for an unknown section.
  public mutating func reloadSections(_ ids: some Sequence<SectionID>) throws(EditError) {
    try mark(sections: ids, keepsNodes: false)
  }

  /// Marks sections so that they are redrawn in their existing cells, even if their content is equal; throws for an unknown
  /// section.
  public mutating func reconfigureSections(_ ids: some Sequence<SectionID>) throws(EditError) {
    try mark(sections: ids, keepsNodes: true)
  }

  /// Replaces the content and the items of sections with those of newer versions that have the same identifiers.
  ///
  /// - Parameter sections: The newer sections.
  /// - Complexity: O(*n*) for *n* items of the snapshot.
  /// - Throws: ``EditError`` for an unknown section, a section that is passed twice, or a duplicate item.
  public mutating func replaceSections(_ sections: [Section]) throws(EditError) {
    var copy = self
    copy.index = SnapshotIndex()
    var (given, items): (Set<SectionID>, Set<ItemID>) = ([], [])
    for section in sections.lazy.map({ ShownSection($0) }) {
      let id = section.diffIdentifier
      guard given.insert(id).inserted else { throw EditError(.duplicateSection(id)) }
      copy.shown[try offset(ofSection: id)] = section
      for item in section.rows.lazy.map(\.diffIdentifier) {
        requireIdentity(item)
        guard items.insert(item).inserted else { throw EditError(.duplicateItem(item)) }
      }
    }
    for section in shown where !given.contains(section.diffIdentifier) {
      for item in section.rows.lazy.map(\.diffIdentifier) where items.contains(item) {
        throw EditError(.duplicateItem(item))
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

  /// Moves a section before the section that is now at `target`, or to the end if there is none.
  private mutating func move(_ offset: Int, to target: Int) {
    let place = offset < target ? target - 1 : target
    edit { $0.insert($0.remove(at: offset), at: place) }
  }
}
