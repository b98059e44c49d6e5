/// Edits of items by identifier; if several items share an identifier, the first one is edited.
extension DiffableSnapshot {
  /// Adds items at the end of a section; throws for an unknown section or a duplicate item.
  @inlinable
  public mutating func appendItems(
    _ items: [Item], toSection id: SectionID
  ) throws(EditError) {
    let section = try offset(ofSection: id)
    try requireNew(items)
    insert(items, at: ItemPath(section: section, item: sections[section].rows.count))
  }

  /// Inserts items before another item; throws for an unknown `id` or a duplicate item.
  public mutating func insertItems(
    _ items: [Item], beforeItem id: ItemID
  ) throws(EditError) {
    try insertNew(items, at: try path(of: id))
  }

  /// Inserts items after another item; throws for an unknown `id` or a duplicate item.
  public mutating func insertItems(
    _ items: [Item], afterItem id: ItemID
  ) throws(EditError) {
    try insertNew(items, at: try path(of: id).next)
  }

  /// Removes any number of items in one O(*n*) pass; throws for an unknown item.
  public mutating func deleteItems(_ ids: some Sequence<ItemID>) throws(EditError) {
    var doomed: [Int: Set<Int>] = [:]
    for id in ids {
      let path = try path(of: id)
      doomed[path.section, default: []].insert(path.item)
    }
    edit { sections in
      for (section, offsets) in doomed {
        sections[section].editItems { $0.remove(at: offsets.sorted()) }
      }
    }
  }

  /// Moves an item before another item, in any section; throws if either item is unknown.
  public mutating func moveItem(_ id: ItemID, beforeItem other: ItemID) throws(EditError) {
    move(try path(of: id), to: try path(of: other))
  }

  /// Moves an item after another item, in any section; throws if either item is unknown.
  public mutating func moveItem(_ id: ItemID, afterItem other: ItemID) throws(EditError) {
    move(try path(of: id), to: try path(of: other).next)
  }

  /// Moves an item to the end of any section; throws if the item or the section is unknown.
  public mutating func moveItem(
    _ id: ItemID, toEndOfSection section: SectionID
  ) throws(EditError) {
    let path = try path(of: id)
    let target = try offset(ofSection: section)
    move(path, to: ItemPath(section: target, item: sections[target].rows.count))
  }

  /// Returns a copy with one item moved from one path to another, such as the paths that a surface reports after a drag.
  ///
  /// - Parameters:
  ///   - from: The item's path.
  ///   - to: The item's path after the move.
  /// - Returns: The copy; `nil` if one of the paths is out of range.
  /// - Complexity: O(*n*) for *n* items of the snapshot.
  public func movingItem(at from: ItemPath, to: ItemPath) -> Self? {
    guard itemIfPresent(at: from) != nil, sections.indices.contains(to.section) else { return nil }
    let isWithin = from.section == to.section
    let room = sections[to.section].rows.count - (isWithin ? 1 : 0)
    guard to.item >= 0, to.item <= room else { return nil }
    var snapshot = self
    // `to` does not count the moved row, but `move` takes a path that counts the row at its old position.
    let shift = isWithin && from.item < to.item ? 1 : 0
    snapshot.move(from, to: ItemPath(section: to.section, item: to.item + shift))
    return snapshot
  }

  /// Replaces items with newer versions that have the same identifiers; throws for an unknown item.
  ///
  /// Takes O(*k*) for *k* items. The first lookup by identifier takes O(*n*) for the *n* items of the snapshot. The first edit of
  /// a section whose items are stored as a tree, or shared with a copy, takes O(*m*) for the *m* items of the section.
  public mutating func replaceItems(_ items: [Item]) throws(EditError) {
    var paths: [ItemPath] = []
    for item in items { paths.append(try path(of: item.diffIdentifier)) }
    for (path, item) in zip(paths, items) {
      shown[path.section].editItems { $0[path.item] = item }
    }
  }

  /// Marks items so that they get new cells, even if their content is equal; throws for an unknown item.
  ///
  /// The next batch reports the marked items as updates. A data source applies each mark once.
  public mutating func reloadItems(_ ids: some Sequence<ItemID>) throws(EditError) {
    try mark(items: ids, keepsNodes: false)
  }

  /// Marks items so that they are redrawn in their existing cells, even if their content is equal; throws for an unknown item.
  ///
  /// The next batch reports the marked items as updates without new cells. A data source applies each mark once.
  public mutating func reconfigureItems(_ ids: some Sequence<ItemID>) throws(EditError) {
    try mark(items: ids, keepsNodes: true)
  }

  private mutating func insertNew(
    _ items: [Item], at path: ItemPath, _ call: String = #function
  ) throws(EditError) {
    try requireNew(items, call)
    insert(items, at: path)
  }

  @usableFromInline
  mutating func insert(_ items: [Item], at path: ItemPath) {
    edit { $0[path.section].editItems { $0.insert(contentsOf: items, at: path.item) } }
  }

  /// Moves an item before the item that is now at `target`, or to the end of the section if there is none.
  private mutating func move(_ path: ItemPath, to target: ItemPath) {
    let shift = path.section == target.section && path.item < target.item ? 1 : 0
    edit { sections in
      var item: Item?
      sections[path.section].editItems { item = $0.remove(at: path.item) }
      guard let item else { return }
      sections[target.section].editItems { $0.insert(item, at: target.item - shift) }
    }
  }
}

extension ItemPath {
  fileprivate var next: ItemPath { ItemPath(section: section, item: item + 1) }
}
