extension DiffableSnapshot {
  /// How many sections there are.
  public var numberOfSections: Int { sections.count }

  /// How many items all sections have together.
  public var numberOfItems: Int { itemLists.reduce(0) { $0 + $1.count } }

  /// How many items a section has.
  ///
  /// - Precondition: the snapshot has that section.
  public func numberOfItems(in section: Int) -> Int { items(in: section).count }

  /// The items of a section, in the order shown.
  ///
  /// - Precondition: the snapshot has that section.
  public func items(in section: Int) -> [Item] {
    precondition(
      itemLists.indices.contains(section),
      "items(in:): section \(section) is out of bounds; there are \(itemLists.count) sections")
    return itemLists[section]
  }

  /// The item at a path.
  ///
  /// - Precondition: the snapshot has an item there; ``itemIfPresent(at:)`` answers where it may not.
  public func item(at path: ItemPath) -> Item {
    guard let item = itemIfPresent(at: path) else {
      preconditionFailure("item(at:): \(path) is out of bounds; there are \(bounds(near: path))")
    }
    return item
  }

  /// The item at a path, or `nil` where the snapshot has none.
  public func itemIfPresent(at path: ItemPath) -> Item? {
    guard itemLists.indices.contains(path.section),
      itemLists[path.section].indices.contains(path.item)
    else { return nil }
    return itemLists[path.section][path.item]
  }

  /// The path of the item with an identifier, or `nil`; of several, the first.
  ///
  /// - Complexity: O(1), after a first look-up of O(items).
  @inlinable
  public func path(ofItem id: ItemID) -> ItemPath? { tables.items[id] }

  /// The offset of the section with an identifier, or `nil`; of several, the first.
  ///
  /// - Complexity: O(1), after a first look-up of O(items).
  @inlinable
  public func index(ofSection id: SectionID) -> Int? { tables.sections[id] }

  /// The item with an identifier, or `nil`; of several, the first.
  ///
  /// - Complexity: O(1), after a first look-up of O(items).
  @inlinable
  public func item(withID id: ItemID) -> Item? { path(ofItem: id).flatMap(itemIfPresent(at:)) }

  private func bounds(near path: ItemPath) -> String {
    guard itemLists.indices.contains(path.section) else { return "\(itemLists.count) sections" }
    return "\(itemLists[path.section].count) items in section \(path.section)"
  }
}
