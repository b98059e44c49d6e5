extension ItemTree {
  /// Shows the items right below one, and of those below them what is expanded.
  ///
  /// - Parameter id: The item; it need not be a row itself.
  /// - Returns: The offsets of the rows that come; `nil` if none comes now.
  /// - Throws: ``TreeError`` for an unknown item.
  /// - Complexity: O(depth · log *n*), however many rows come.
  @discardableResult
  public mutating func expand(_ id: ID) throws(TreeError<ID>) -> Range<Int>? {
    try setExpanded(true, id, "expand(_:)")
  }

  /// Hides all items below one, and remembers which of them are expanded.
  ///
  /// - Parameter id: The item; it need not be a row itself.
  /// - Returns: The offsets of the rows that go; `nil` if none goes now.
  /// - Throws: ``TreeError`` for an unknown item.
  /// - Complexity: O(depth · log *n*), however many rows go.
  @discardableResult
  public mutating func collapse(_ id: ID) throws(TreeError<ID>) -> Range<Int>? {
    try setExpanded(false, id, "collapse(_:)")
  }

  /// Expands what is collapsed, and collapses what is expanded.
  ///
  /// - Parameter id: The item; it need not be a row itself.
  /// - Returns: The offsets of the rows that come or go; `nil` if there are none.
  /// - Throws: ``TreeError`` for an unknown item.
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

  /// Notes that a node takes more rows or fewer, and so do those above it as far as they are expanded.
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

  /// How many rows a node takes, with those below it.
  func rowCount(of number: Int) -> Int {
    1 + (self[number].isExpanded ? self[number].children.rowCount : 0)
  }
}
