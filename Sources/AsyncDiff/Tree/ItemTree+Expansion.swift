extension ItemTree {
  /// Expands an item to show its children, the children of its expanded children, and so on.
  ///
  /// - Parameter id: The identifier of the item, which may be hidden.
  /// - Returns: The offsets of the rows that appear; `nil` if none appears.
  /// - Throws: ``EditError`` for an unknown item.
  /// - Complexity: O(siblings of the item and of its ancestors), independent of the number of rows that appear.
  @discardableResult
  public mutating func expand(_ id: ID) throws(EditError) -> Range<Int>? {
    try setExpanded(true, id)
  }

  /// Collapses an item to hide all its descendants; each descendant remembers whether it is expanded.
  ///
  /// - Parameter id: The identifier of the item, which may be hidden.
  /// - Returns: The offsets of the rows that disappear; `nil` if none disappears.
  /// - Throws: ``EditError`` for an unknown item.
  /// - Complexity: O(siblings of the item and of its ancestors), independent of the number of rows that disappear.
  @discardableResult
  public mutating func collapse(_ id: ID) throws(EditError) -> Range<Int>? {
    try setExpanded(false, id)
  }

  /// Expands a collapsed item, and collapses an expanded one.
  ///
  /// - Parameter id: The identifier of the item, which may be hidden.
  /// - Returns: The offsets of the rows that appear or disappear; `nil` if no row does.
  /// - Throws: ``EditError`` for an unknown item.
  /// - Complexity: O(siblings of the item and of its ancestors), independent of the number of rows that change.
  @discardableResult
  public mutating func toggle(_ id: ID) throws(EditError) -> Range<Int>? {
    try setExpanded(!isExpanded(id), id)
  }

  /// The identifiers of all expanded items, from top to bottom, in O(*n*).
  ///
  /// <!-- sample:
  /// struct Folder: Diffable, Equatable { var diffIdentifier = 0 }
  /// let (inbox, archive, tree) = (Folder(), Folder(), ItemTree<Folder>())
  /// -->
  /// ```swift
  /// var newer = ItemTree<Folder>()
  /// try newer.append([inbox, archive])
  /// newer.expandAll(tree.expandedIDs)  // new contents, expanded as before
  /// ```
  public var expandedIDs: [ID] {
    var ids: [ID] = []
    walk { entry, _ in
      if entry.isExpanded, let id = entry.item?.diffIdentifier { ids.append(id) }
      return true
    }
    return ids
  }

  /// Expands items in O(level) for each of them, and ignores unknown identifiers.
  public mutating func expandAll(_ ids: some Sequence<ID>) {
    for number in ids.compactMap({ numbers[$0] }) { setExpanded(true, number) }
  }

  private mutating func setExpanded(
    _ isExpanded: Bool, _ id: ID, _ call: String = #function
  ) throws(EditError) -> Range<Int>? {
    let number = try number(of: id, call)
    let before = rowCount
    setExpanded(isExpanded, number)
    guard rowCount != before, let offset = rowOffset(of: id) else { return nil }
    return offset + 1..<offset + 1 + abs(rowCount - before)
  }
}
