/// Edits of items, by identifier. An edit that throws has changed nothing.
///
/// Where several items share an identifier, an edit means the first of them.
extension DiffableSnapshot {
  /// Adds items at the end of a section.
  ///
  /// - Complexity: O(items added · log *n*), after a first look-up of O(*n*) for *n* items.
  /// - Throws: ``EditError`` for an unknown section, or an item that is there already.
  public mutating func appendItems(
    _ items: [Item], toSection id: SectionID
  ) throws(EditError) {
    let call = "appendItems(_:toSection:)"
    let section = try offset(ofSection: id, call)
    try requireNew(items, call)
    insert(items, at: ItemPath(section: section, item: sections[section].items.count))
  }

  /// Adds items before another.
  ///
  /// - Complexity: O(log *n*) and the items of the sections edited, after a first look-up of O(*n*).
  /// - Throws: ``EditError`` for an unknown item to stand before, or an item that is there already.
  public mutating func insertItems(
    _ items: [Item], beforeItem id: ItemID
  ) throws(EditError) {
    let call = "insertItems(_:beforeItem:)"
    try insert(items, at: try path(of: id, call), call)
  }

  /// Adds items after another.
  ///
  /// - Complexity: O(log *n*) and the items of the sections edited, after a first look-up of O(*n*).
  /// - Throws: ``EditError`` for an unknown item to stand after, or an item that is there already.
  public mutating func insertItems(
    _ items: [Item], afterItem id: ItemID
  ) throws(EditError) {
    let call = "insertItems(_:afterItem:)"
    try insert(items, at: try path(of: id, call).next, call)
  }

  /// Removes items.
  ///
  /// - Complexity: O(log *n*) for each item and the items of the sections edited, however many are removed
  ///   from them: remove many with one call.
  /// - Throws: ``EditError`` for an unknown item.
  public mutating func deleteItems(_ ids: some Sequence<ItemID>) throws(EditError) {
    var doomed: [Int: Set<Int>] = [:]
    for id in ids {
      let path = try path(of: id, "deleteItems(_:)")
      doomed[path.section, default: []].insert(path.item)
    }
    var gone: [ItemID] = []
    for (section, offsets) in doomed {
      let items = sections[section].items
      gone += offsets.map { items[$0].diffIdentifier }
      shown[section].change { list in
        if offsets.count == 1, let offset = offsets.first {
          list.remove(at: offset)
        } else {
          list = items.indices.filter { !offsets.contains($0) }.map { items[$0] }
        }
      }
    }
    updateTables { tables in
      for id in gone { tables.set(nil, for: id) }
    }
  }

  /// Moves an item to stand before another, in whichever section that is.
  ///
  /// - Complexity: O(log *n*) and the items of the sections edited, after a first look-up of O(*n*).
  /// - Throws: ``EditError`` where one of the two is unknown.
  public mutating func moveItem(_ id: ItemID, beforeItem other: ItemID) throws(EditError) {
    let call = "moveItem(_:beforeItem:)"
    move(try path(of: id, call), to: try path(of: other, call))
  }

  /// Moves an item to stand after another, in whichever section that is.
  ///
  /// - Complexity: O(log *n*) and the items of the sections edited, after a first look-up of O(*n*).
  /// - Throws: ``EditError`` where one of the two is unknown.
  public mutating func moveItem(_ id: ItemID, afterItem other: ItemID) throws(EditError) {
    let call = "moveItem(_:afterItem:)"
    move(try path(of: id, call), to: try path(of: other, call).next)
  }

  /// Moves an item to the end of a section, its own or another.
  ///
  /// - Complexity: O(log *n*) and the items of the sections edited, after a first look-up of O(*n*).
  /// - Throws: ``EditError`` where the item or the section is unknown.
  public mutating func moveItem(
    _ id: ItemID, toEndOfSection section: SectionID
  ) throws(EditError) {
    let call = "moveItem(_:toEndOfSection:)"
    let path = try path(of: id, call)
    let target = try offset(ofSection: section, call)
    move(path, to: ItemPath(section: target, item: sections[target].items.count))
  }

  /// The same with an item in another place, given by paths as a surface does where a row was dragged.
  ///
  /// - Parameters:
  ///   - from: Where the item is.
  ///   - to: Where it shall be, the item itself not counted.
  /// - Returns: The snapshot; nil if one of the two is out of range.
  /// - Complexity: O(log *n*) and the items of the sections edited, after a first look-up of O(*n*).
  public func movingItem(at from: ItemPath, to: ItemPath) -> Self? {
    guard itemIfPresent(at: from) != nil, sections.indices.contains(to.section) else { return nil }
    let isWithin = from.section == to.section
    let room = sections[to.section].items.count - (isWithin ? 1 : 0)
    guard to.item >= 0, to.item <= room else { return nil }
    var snapshot = self
    // `move` names the row that stands at the place while the moved one is still where it was.
    let shift = isWithin && from.item < to.item ? 1 : 0
    snapshot.move(from, to: ItemPath(section: to.section, item: to.item + shift))
    return snapshot
  }

  /// Puts newer models in the place of those with the same identifiers.
  ///
  /// - Complexity: O(items given), after a first look-up of O(items).
  /// - Throws: ``EditError`` for an item that is not there.
  public mutating func replaceItems(_ items: [Item]) throws(EditError) {
    var paths: [ItemPath] = []
    for item in items { paths.append(try path(of: item.diffIdentifier, "replaceItems(_:)")) }
    for (path, item) in zip(paths, items) { shown[path.section].list[path.item] = item }
  }

  /// Has items drawn anew by a new node, though their content is equal.
  ///
  /// - Throws: ``EditError`` for an unknown item.
  public mutating func reloadItems(_ ids: some Sequence<ItemID>) throws(EditError) {
    let ids = Set(ids)
    try requireKnown(ids, "reloadItems(_:)")
    marks.add { $0.reloaded.formUnion(ids) }
  }

  /// Has items drawn anew by the node they have, though their content is equal.
  ///
  /// The batch reports them as updates and has no node for them.
  ///
  /// - Throws: ``EditError`` for an unknown item.
  public mutating func reconfigureItems(_ ids: some Sequence<ItemID>) throws(EditError) {
    let ids = Set(ids)
    try requireKnown(ids, "reconfigureItems(_:)")
    marks.add { $0.reconfigured.formUnion(ids) }
  }

  private mutating func insert(
    _ items: [Item], at path: ItemPath, _ call: String
  ) throws(EditError) {
    try requireNew(items, call)
    insert(items, at: path)
  }

  private mutating func insert(_ items: [Item], at path: ItemPath) {
    shown[path.section].change { $0.insert(contentsOf: items, at: path.item) }
    let id = sections[path.section].diffIdentifier
    updateTables { tables in
      guard let section = tables.sections[id] else { return }
      for (offset, item) in items.enumerated() {
        tables.set(
          Tables.Place(section: section, hint: path.item + offset), for: item.diffIdentifier)
      }
    }
  }

  /// Moves an item to where the item now at `target` stands.
  private mutating func move(_ path: ItemPath, to target: ItemPath) {
    let shift = path.section == target.section && path.item < target.item ? 1 : 0
    let place = ItemPath(section: target.section, item: target.item - shift)
    let item = shown[path.section].change { $0.remove(at: path.item) }
    insert([item], at: place)
  }
}

extension ShownSection {
  /// Changes which items are where, so that look-ups search for them anew.
  fileprivate mutating func change<Result>(_ body: (inout [Section.Item]) -> Result) -> Result {
    places = SectionPlaces()
    return body(&list)
  }
}

extension ItemPath {
  fileprivate var next: ItemPath { ItemPath(section: section, item: item + 1) }
}
