/// Edits of items, by identifier. An edit that throws has changed nothing.
///
/// Where several items share an identifier, an edit means the first of them.
extension DiffableSnapshot {
  /// Adds items at the end of a section.
  ///
  /// - Complexity: O(items added), after a first look-up of O(items).
  /// - Throws: ``EditError`` for an unknown section, or an item that is there already.
  public mutating func appendItems(
    _ items: [Item], toSection id: SectionID
  ) throws(EditError) {
    let call = "appendItems(_:toSection:)"
    let section = try offset(ofSection: id, call)
    try requireNew(items, call)
    var tables = index.take()
    tables?.addItems(items, from: ItemPath(section: section, item: itemLists[section].count))
    itemLists[section] += items
    index = SnapshotIndex(tables)
  }

  /// Adds items before another.
  ///
  /// - Complexity: O(items).
  /// - Throws: ``EditError`` for an unknown item to stand before, or an item that is there already.
  public mutating func insertItems(
    _ items: [Item], beforeItem id: ItemID
  ) throws(EditError) {
    let call = "insertItems(_:beforeItem:)"
    try insert(items, at: try path(of: id, call), call)
  }

  /// Adds items after another.
  ///
  /// - Complexity: O(items).
  /// - Throws: ``EditError`` for an unknown item to stand after, or an item that is there already.
  public mutating func insertItems(
    _ items: [Item], afterItem id: ItemID
  ) throws(EditError) {
    let call = "insertItems(_:afterItem:)"
    try insert(items, at: try path(of: id, call).next, call)
  }

  /// Removes items.
  ///
  /// - Complexity: O(items), however many are removed: remove many with one call.
  /// - Throws: ``EditError`` for an unknown item.
  public mutating func deleteItems(_ ids: some Sequence<ItemID>) throws(EditError) {
    var doomed: [Int: Set<Int>] = [:]
    for id in ids {
      let path = try path(of: id, "deleteItems(_:)")
      doomed[path.section, default: []].insert(path.item)
    }
    for (section, offsets) in doomed {
      itemLists[section] = itemLists[section].enumerated()
        .filter { !offsets.contains($0.offset) }
        .map(\.element)
    }
    index = SnapshotIndex()
  }

  /// Moves an item to stand before another, in whichever section that is.
  ///
  /// - Complexity: O(items).
  /// - Throws: ``EditError`` where one of the two is unknown.
  public mutating func moveItem(_ id: ItemID, beforeItem other: ItemID) throws(EditError) {
    let call = "moveItem(_:beforeItem:)"
    move(try path(of: id, call), to: try path(of: other, call))
  }

  /// Moves an item to stand after another, in whichever section that is.
  ///
  /// - Complexity: O(items).
  /// - Throws: ``EditError`` where one of the two is unknown.
  public mutating func moveItem(_ id: ItemID, afterItem other: ItemID) throws(EditError) {
    let call = "moveItem(_:afterItem:)"
    move(try path(of: id, call), to: try path(of: other, call).next)
  }

  /// Moves an item to the end of a section, its own or another.
  ///
  /// - Complexity: O(items).
  /// - Throws: ``EditError`` where the item or the section is unknown.
  public mutating func moveItem(
    _ id: ItemID, toEndOfSection section: SectionID
  ) throws(EditError) {
    let call = "moveItem(_:toEndOfSection:)"
    let path = try path(of: id, call)
    let target = try offset(ofSection: section, call)
    move(path, to: ItemPath(section: target, item: itemLists[target].count))
  }

  /// Puts newer models in the place of those with the same identifiers.
  ///
  /// - Complexity: O(items given), after a first look-up of O(items).
  /// - Throws: ``EditError`` for an item that is not there.
  public mutating func replaceItems(_ items: [Item]) throws(EditError) {
    var paths: [ItemPath] = []
    for item in items { paths.append(try path(of: item.diffIdentifier, "replaceItems(_:)")) }
    for (path, item) in zip(paths, items) { itemLists[path.section][path.item] = item }
  }

  /// Has items drawn anew by a new node, though their content is equal.
  ///
  /// - Throws: ``EditError`` for an unknown item.
  public mutating func reloadItems(_ ids: some Sequence<ItemID>) throws(EditError) {
    let ids = Set(ids)
    try requireKnown(ids, "reloadItems(_:)")
    marks.reloaded.formUnion(ids)
  }

  /// Has items drawn anew by the node they have, though their content is equal.
  ///
  /// The batch reports them as updates and has no node for them.
  ///
  /// - Throws: ``EditError`` for an unknown item.
  public mutating func reconfigureItems(_ ids: some Sequence<ItemID>) throws(EditError) {
    let ids = Set(ids)
    try requireKnown(ids, "reconfigureItems(_:)")
    marks.reconfigured.formUnion(ids)
  }

  private mutating func insert(
    _ items: [Item], at path: ItemPath, _ call: String
  ) throws(EditError) {
    try requireNew(items, call)
    itemLists[path.section].insert(contentsOf: items, at: path.item)
    index = SnapshotIndex()
  }

  /// Moves an item to where the item now at `target` stands.
  private mutating func move(_ path: ItemPath, to target: ItemPath) {
    let item = itemLists[path.section].remove(at: path.item)
    let shift = path.section == target.section && path.item < target.item ? 1 : 0
    itemLists[target.section].insert(item, at: target.item - shift)
    index = SnapshotIndex()
  }
}

extension ItemPath {
  fileprivate var next: ItemPath { ItemPath(section: section, item: item + 1) }
}
