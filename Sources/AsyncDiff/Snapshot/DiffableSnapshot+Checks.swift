/// The checks of an edit, made before it changes anything.
extension DiffableSnapshot {
  func path(of id: ItemID, _ call: String) throws(EditError) -> ItemPath {
    guard let path = path(ofItem: id) else { throw EditError(call, .unknownItem(id)) }
    return path
  }

  @inlinable
  func offset(ofSection id: SectionID, _ call: String) throws(EditError) -> Int {
    guard let offset = index(ofSection: id) else { throw EditError(call, .unknownSection(id)) }
    return offset
  }

  func requireKnown(_ ids: Set<ItemID>, _ call: String) throws(EditError) {
    for id in ids { _ = try path(of: id, call) }
  }

  @inlinable
  func requireNew(_ items: [Item], _ call: String) throws(EditError) {
    var given: Set<ItemID> = []
    try requireNew(items, &given, call)
  }

  /// Throws if an identifier is in the snapshot already or is given twice.
  func requireNew(_ sections: [ShownSection<Section>], _ call: String) throws(EditError) {
    var newSections: Set<SectionID> = []
    var newItems: Set<ItemID> = []
    for section in sections {
      let id = section.diffIdentifier
      guard index(ofSection: id) == nil, newSections.insert(id).inserted else {
        throw EditError(call, .duplicateSection(id))
      }
    }
    for section in sections { try requireNew(section.items, &newItems, call) }
  }

  @inlinable
  func requireNew(
    _ items: [Item], _ given: inout Set<ItemID>, _ call: String
  ) throws(EditError) {
    for item in items {
      let id = item.diffIdentifier
      requireIdentity(id)
      guard path(ofItem: id) == nil, given.insert(id).inserted else {
        throw EditError(call, .duplicateItem(id))
      }
    }
  }
}
