extension ItemTree {
  /// The rows, from top to bottom: the items of a section that shows this tree.
  ///
  /// - Complexity: O(rows) for all that are expanded, O(log *n*) for each that hides others.
  public var rows: [TreeRow<Item>] { outline.rows.map(row(of:)) }

  /// The row at an offset.
  ///
  /// - Parameter offset: The offset.
  /// - Returns: The row.
  /// - Precondition: `offset` is at least 0 and less than ``rowCount``.
  /// - Complexity: O(log *n*).
  public func row(at offset: Int) -> TreeRow<Item> {
    require(
      (0..<rowCount).contains(offset),
      "row(at:): \(offset) is out of bounds; there are \(rowCount) rows")
    return row(of: outline.row(at: offset))
  }

  /// The offset of an item's row; `nil` if the item is not a row.
  ///
  /// - Parameter id: The identifier of the item.
  /// - Returns: The offset, or `nil`.
  /// - Complexity: O(log *n*).
  public func rowOffset(of id: ID) -> Int? {
    before(id).flatMap { $0.hidden == 0 ? Int($0.rows) : nil }
  }

  private func row(of row: Outline.Row) -> TreeRow<Item> {
    TreeRow(
      item: Self.unbox(row.item), level: row.level, isExpanded: row.isExpanded,
      hasChildren: row.hasChildren)
  }
}

extension ItemTree: Equatable {
  /// Whether both have the same items in the same places, expanded alike.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.count == rhs.count
      && zip(lhs.brackets, rhs.brackets).allSatisfy { left, right in
        let (number, other) = (Outline.number(of: left), Outline.number(of: right))
        return Outline.isOpening(left) == Outline.isOpening(right) && lhs[number] == rhs[other]
          && lhs.outline.isExpanded(number) == rhs.outline.isExpanded(other)
      }
  }

  var brackets: some Sequence<Outline.Link> {
    sequence(state: outline.first) { link in
      defer { link = link.flatMap(outline.next) }
      return link
    }
  }
}

extension ItemTree: CustomStringConvertible {
  /// One line for each row.
  public var description: String { rows.map(\.description).joined(separator: "\n") }
}
