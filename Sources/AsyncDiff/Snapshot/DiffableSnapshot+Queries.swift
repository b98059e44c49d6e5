extension DiffableSnapshot {
  /// The number of sections.
  public var numberOfSections: Int { sections.count }

  /// The number of items in all sections.
  public var numberOfItems: Int { sections.reduce(0) { $0 + $1.rows.count } }

  @inlinable
  var itemCounts: [Int] { sections.map { $0.rows.count } }

  /// The number of items of a section; traps if the snapshot does not have the section.
  public func numberOfItems(in section: Int) -> Int { rows(in: section).count }

  /// The items of a section, in the order shown; traps if the snapshot does not have the section.
  public func items(in section: Int) -> [Item] { rows(in: section).items }

  private func rows(in section: Int, _ call: String = #function) -> ShownRows<Item> {
    require(
      sections.indices.contains(section),
      "DiffableSnapshot.\(call): section \(section) is out of bounds; the number of sections is \(sections.count)"
    )
    return sections[section].rows
  }

  /// The item at a path; traps if the path is out of range, unlike ``itemIfPresent(at:)``.
  public func item(at path: ItemPath) -> Item {
    guard let item = itemIfPresent(at: path) else {
      fatalError("DiffableSnapshot.item(at:): \(path) is out of bounds; \(bounds(near: path))")
    }
    return item
  }

  /// The item at a path, or `nil` if the path is out of range.
  public func itemIfPresent(at path: ItemPath) -> Item? {
    guard sections.indices.contains(path.section),
      sections[path.section].rows.indices.contains(path.item)
    else { return nil }
    return sections[path.section].rows[path.item]
  }

  /// The path of the first item with an identifier, found in O(1) after a first lookup in O(items).
  @inlinable
  public func path(ofItem id: ItemID) -> ItemPath? { places.items[id] }

  /// The offset of the first section with an identifier, found in O(1) after a first lookup in O(items).
  @inlinable
  public func index(ofSection id: SectionID) -> Int? { places.sections[id] }

  /// The first item with an identifier, found in O(1) after a first lookup in O(items).
  public func item(withID id: ItemID) -> Item? { path(ofItem: id).flatMap(itemIfPresent(at:)) }

  /// All paths, from top to bottom.
  public var paths: [ItemPath] {
    sections.indices.flatMap(paths(inSection:))
  }

  func paths(inSection section: Int) -> [ItemPath] {
    sections[section].rows.indices.map { ItemPath(section: section, item: $0) }
  }

  func bounds(near path: ItemPath) -> String {
    guard sections.indices.contains(path.section) else {
      return "the number of sections is \(sections.count)"
    }
    return "the number of items in section \(path.section) is \(sections[path.section].rows.count)"
  }
}
