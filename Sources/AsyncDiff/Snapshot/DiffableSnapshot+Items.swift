/// Edits of items, by identifier. An edit that throws has changed nothing.
///
/// Each edit costs O(*n*) for *n* items of the snapshot, because it looks their places up: edit many items with one
/// call, and keep rows that change often in a ``LiveTable``.
///
/// If several items share an identifier, an edit means the first of them.
extension DiffableSnapshot {
  /// Adds items at the end of a section.
  ///
  /// - Parameters:
  ///   - items: The items.
  ///   - id: The identifier of the section.
  /// - Complexity: O(*n*) for *n* items of the snapshot.
  /// - Throws: ``EditError`` for an unknown section, or an item that is there already.
  @inlinable
  public mutating func appendItems(
    _ items: [Item], toSection id: SectionID
  ) throws(EditError) {
    let section = try offset(ofSection: id)
    try requireNew(items)
    insert(items, at: ItemPath(section: section, item: sections[section].rows.count))
  }

  /// Adds items before another one.
  ///
  /// - Parameters:
  ///   - items: The items.
  ///   - id: The identifier of the item that follows them.
  /// - Complexity: O(*n*) for *n* items of the snapshot.
  /// - Throws: ``EditError`` for an unknown `id`, or an item that is there already.
  public mutating func insertItems(
    _ items: [Item], beforeItem id: ItemID
  ) throws(EditError) {
    try insertNew(items, at: try path(of: id))
  }

  /// Adds items after another one.
  ///
  /// - Parameters:
  ///   - items: The items.
  ///   - id: The identifier of the item before them.
  /// - Complexity: O(*n*) for *n* items of the snapshot.
  /// - Throws: ``EditError`` for an unknown `id`, or an item that is there already.
  public mutating func insertItems(
    _ items: [Item], afterItem id: ItemID
  ) throws(EditError) {
    try insertNew(items, at: try path(of: id).next)
  }

  /// Removes items.
  ///
  /// - Parameter ids: The identifiers of the items.
  /// - Complexity: O(*n*) for *n* items of the snapshot, however many are removed.
  /// - Throws: ``EditError`` for an unknown item.
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

  /// Moves an item before another one, in whichever section that is.
  ///
  /// - Parameters:
  ///   - id: The identifier of the item.
  ///   - other: The identifier of the item that follows it then.
  /// - Complexity: O(*n*) for *n* items of the snapshot.
  /// - Throws: ``EditError`` if one of the two is unknown.
  public mutating func moveItem(_ id: ItemID, beforeItem other: ItemID) throws(EditError) {
    move(try path(of: id), to: try path(of: other))
  }

  /// Moves an item after another one, in whichever section that is.
  ///
  /// - Parameters:
  ///   - id: The identifier of the item.
  ///   - other: The identifier of the item before it then.
  /// - Complexity: O(*n*) for *n* items of the snapshot.
  /// - Throws: ``EditError`` if one of the two is unknown.
  public mutating func moveItem(_ id: ItemID, afterItem other: ItemID) throws(EditError) {
    move(try path(of: id), to: try path(of: other).next)
  }

  /// Moves an item to the end of a section, its own or another.
  ///
  /// - Parameters:
  ///   - id: The identifier of the item.
  ///   - section: The identifier of the section.
  /// - Complexity: O(*n*) for *n* items of the snapshot.
  /// - Throws: ``EditError`` if the item or the section is unknown.
  public mutating func moveItem(
    _ id: ItemID, toEndOfSection section: SectionID
  ) throws(EditError) {
    let path = try path(of: id)
    let target = try offset(ofSection: section)
    move(path, to: ItemPath(section: target, item: sections[target].rows.count))
  }

  /// A copy with an item in another place, given by paths, as a surface knows them after a drag.
  ///
  /// - Parameters:
  ///   - from: The item's path.
  ///   - to: The item's path afterwards, counted without the item itself.
  /// - Returns: The copy; nil if one of the paths is out of range.
  /// - Complexity: O(*n*) for *n* items of the snapshot.
  public func movingItem(at from: ItemPath, to: ItemPath) -> Self? {
    guard itemIfPresent(at: from) != nil, sections.indices.contains(to.section) else { return nil }
    let isWithin = from.section == to.section
    let room = sections[to.section].rows.count - (isWithin ? 1 : 0)
    guard to.item >= 0, to.item <= room else { return nil }
    var snapshot = self
    // `move` takes the path of the row at the target, while the moved row is still in its old
    // place.
    let shift = isWithin && from.item < to.item ? 1 : 0
    snapshot.move(from, to: ItemPath(section: to.section, item: to.item + shift))
    return snapshot
  }

  /// Replaces items by newer ones with the same identifiers.
  ///
  /// - Parameter items: The newer items.
  /// - Complexity: O(items given), after a first look-up of O(items).
  /// - Throws: ``EditError`` for an unknown item.
  public mutating func replaceItems(_ items: [Item]) throws(EditError) {
    var paths: [ItemPath] = []
    for item in items { paths.append(try path(of: item.diffIdentifier)) }
    for (path, item) in zip(paths, items) {
      shown[path.section].editItems { $0[path.item] = item }
    }
  }

  /// Marks items to be drawn by a new cell, even if their content is equal.
  ///
  /// The next batch reports the marked items as updates; a data source carries a mark out once.
  ///
  /// - Parameter ids: The identifiers of the items.
  /// - Throws: ``EditError`` for an unknown item.
  public mutating func reloadItems(_ ids: some Sequence<ItemID>) throws(EditError) {
    try mark(items: ids, keepsNodes: false)
  }

  /// Marks items to be drawn by the cell they have, even if their content is equal.
  ///
  /// The next batch reports them as updates and has no cell for them; a data source carries a mark
  /// out once.
  ///
  /// - Parameter ids: The identifiers of the items.
  /// - Throws: ``EditError`` for an unknown item.
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

  /// Moves an item to the place of the item that is now at `target`.
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
