extension ItemTree {
  /// Expands an item: shows the items directly below it, and their descendants as far as those are
  /// expanded.
  ///
  /// - Parameter id: The identifier of the item, which need not be a row.
  /// - Returns: The offsets of the rows that appear; `nil` if none appears.
  /// - Throws: ``TreeError`` for an unknown item.
  /// - Complexity: O(depth · log *n*), however many rows appear.
  @discardableResult
  public mutating func expand(_ id: ID) throws(TreeError<ID>) -> Range<Int>? {
    try setExpanded(true, id, "expand(_:)")
  }

  /// Collapses an item: hides all items below it; each of them stays expanded or collapsed.
  ///
  /// - Parameter id: The identifier of the item, which need not be a row.
  /// - Returns: The offsets of the rows that disappear; `nil` if none disappears.
  /// - Throws: ``TreeError`` for an unknown item.
  /// - Complexity: O(depth · log *n*), however many rows disappear.
  @discardableResult
  public mutating func collapse(_ id: ID) throws(TreeError<ID>) -> Range<Int>? {
    try setExpanded(false, id, "collapse(_:)")
  }

  /// Expands a collapsed item, and collapses an expanded one.
  ///
  /// - Parameter id: The identifier of the item, which need not be a row.
  /// - Returns: The offsets of the rows that appear or disappear; `nil` if there are none.
  /// - Throws: ``TreeError`` for an unknown item.
  /// - Complexity: O(depth · log *n*), however many rows change.
  @discardableResult
  public mutating func toggle(_ id: ID) throws(TreeError<ID>) -> Range<Int>? {
    try setExpanded(!isExpanded(id), id, "toggle(_:)")
  }

  private mutating func setExpanded(
    _ isExpanded: Bool, _ id: ID, _ call: String
  ) throws(TreeError<ID>) -> Range<Int>? {
    let number = try number(of: id, call)
    guard self[number].isExpanded != isExpanded else { return nil }
    let rows = self[number].children.rowCount
    self[number].isExpanded = isExpanded
    addRows(isExpanded ? rows : -rows, to: number)
    guard rows > 0, let offset = rowOffset(of: id) else { return nil }
    return offset + 1..<offset + 1 + rows
  }

  /// Changes the number of rows of a node, and of its ancestors as far as they are expanded.
  mutating func addRows(_ rows: Int, to number: Int) {
    guard rows != 0 else { return }
    var number = number
    while true {
      let (parent, place) = (self[number].parent, self[number].place)
      changeSiblings(under: parent) { $0.add(rows, at: place) }
      guard let parent, self[parent].isExpanded else { return }
      number = parent
    }
  }

  /// The number of rows of a node, its shown descendants included.
  func rowCount(of number: Int) -> Int {
    1 + (self[number].isExpanded ? self[number].children.rowCount : 0)
  }
}
