extension ItemTree {
  /// The rows, from top to bottom: the items of a section that shows this tree.
  ///
  /// - Complexity: O(rows).
  public var rows: [TreeRow<Item>] {
    var rows: [TreeRow<Item>] = []
    rows.reserveCapacity(rowCount)
    walk { node, level in
      rows.append(row(of: node, level))
      return node.isExpanded
    }
    return rows
  }

  /// The row at an offset.
  ///
  /// - Parameter offset: The offset.
  /// - Returns: The row.
  /// - Precondition: `offset` is at least 0 and less than ``rowCount``.
  /// - Complexity: O(siblings of the row and of those above it).
  public func row(at offset: Int) -> TreeRow<Item> {
    require(
      (0..<rowCount).contains(offset),
      "row(at:): \(offset) is out of bounds; there are \(rowCount) rows")
    var (node, level, rest) = (nodes[0], -1, offset + 1)
    while rest > 0 {
      rest -= 1
      level += 1
      for child in node.children.lazy.map({ nodes[$0] }) {
        if rest < child.rows {
          node = child
          break
        }
        rest -= child.rows
      }
    }
    return row(of: node, level)
  }

  /// The offset of an item's row; `nil` if the item is not a row.
  ///
  /// - Parameter id: The identifier of the item.
  /// - Returns: The offset, or `nil`.
  /// - Complexity: O(siblings of the item and of those above it).
  public func rowOffset(of id: ID) -> Int? {
    guard var number = numbers[id] else { return nil }
    var offset = -1
    while let parent = nodes[number].parent {
      guard nodes[parent].isExpanded else { return nil }
      let before = nodes[parent].children.prefix { $0 != number }
      offset += before.reduce(1) { $0 + nodes[$1].rows }
      number = parent
    }
    return offset
  }

  /// Calls a body with each item and its level, from top to bottom; it says whether to go on below the item.
  func walk(_ body: (Node, Int) -> Bool) {
    var open = [nodes[0].children[...]]
    while let level = open.indices.last {
      guard let number = open[level].popFirst() else {
        open.removeLast()
        continue
      }
      if body(nodes[number], level) { open.append(nodes[number].children[...]) }
    }
  }

  private func row(of node: Node, _ level: Int) -> TreeRow<Item> {
    guard let item = node.item else { fatalError("a tree has lost an item") }
    return TreeRow(
      item: item, level: level, isExpanded: node.isExpanded, hasChildren: !node.children.isEmpty)
  }
}

extension ItemTree: Equatable {
  /// Whether both have the same items in the same places, expanded alike.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.count == rhs.count && lhs.rowCount == rhs.rowCount && lhs.all == rhs.all
  }

  /// All items as rows, from top to bottom.
  private var all: [TreeRow<Item>] {
    var all: [TreeRow<Item>] = []
    walk { node, level in
      all.append(row(of: node, level))
      return true
    }
    return all
  }
}

extension ItemTree: CustomStringConvertible {
  /// One line for each row.
  public var description: String { rows.map(\.description).joined(separator: "\n") }
}
