/// The checks that an edit makes before it changes anything.
extension DiffableSnapshot {
  func path(of id: ItemID, _ call: String = #function) throws(EditError) -> ItemPath {
    guard let path = path(ofItem: id) else { throw EditError(.unknownItem(id), in: call) }
    return path
  }

  @inlinable
  func offset(ofSection id: SectionID, _ call: String = #function) throws(EditError) -> Int {
    guard let offset = index(ofSection: id) else { throw EditError(.unknownSection(id), in: call) }
    return offset
  }

  /// Throws if an identifier already exists or is passed twice.
  func requireNew(_ sections: [ShownSection<Section>], _ call: String = #function) throws(EditError)
  {
    var given: Set<SectionID> = []
    for section in sections {
      let id = section.diffIdentifier
      requireIdentity(id)
      guard index(ofSection: id) == nil, given.insert(id).inserted else {
        throw EditError(.duplicateSection(id), in: call)
      }
    }
    try requireNew(sections.flatMap { $0.rows }, call)
  }

  @inlinable
  func requireNew(_ items: [Item], _ call: String = #function) throws(EditError) {
    var given: Set<ItemID> = []
    for item in items {
      let id = item.diffIdentifier
      requireIdentity(id)
      // A single item cannot be passed twice, so it does not have to be hashed.
      guard path(ofItem: id) == nil, items.count == 1 || given.insert(id).inserted else {
        throw EditError(.duplicateItem(id), in: call)
      }
    }
  }
}
