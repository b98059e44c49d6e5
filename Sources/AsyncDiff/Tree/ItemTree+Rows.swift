extension ItemTree {
  /// The rows, from top to bottom; a section that shows this tree returns them as its items.
  ///
  /// - Complexity: O(rows).
  public var rows: [TreeRow<Item>] {
    var rows: [TreeRow<Item>] = []
    rows.reserveCapacity(rowCount)
    walk { entry, level in
      rows.append(row(of: entry, level))
      return entry.isExpanded
    }
    return rows
  }

  /// The row at an offset; traps if the offset is out of bounds.
  ///
  /// - Parameter offset: The offset, less than ``rowCount``.
  /// - Returns: The item, its level, and whether it is expanded.
  ///
  /// - Complexity: O(siblings of the row and of its ancestors).
  public func row(at offset: Int) -> TreeRow<Item> {
    require(
      (0..<rowCount).contains(offset),
      "ItemTree.row(at:): \(offset) is out of bounds; the number of rows is \(rowCount)")
    var (entry, level, rest) = (entries[0], -1, offset + 1)
    while rest > 0 {
      rest -= 1
      level += 1
      for child in entry.children.lazy.map({ entries[$0] }) {
        if rest < child.rows {
          entry = child
          break
        }
        rest -= child.rows
      }
    }
    return row(of: entry, level)
  }

  /// The offset of an item's row, found in O(siblings of the item and of its ancestors); `nil` if the item is not shown as a row.
  public func rowOffset(of id: ID) -> Int? {
    guard var number = numbers[id] else { return nil }
    var offset = -1
    while let parent = entries[number].parent {
      guard entries[parent].isExpanded else { return nil }
      let before = entries[parent].children.prefix { $0 != number }
      offset += before.reduce(1) { $0 + entries[$1].rows }
      number = parent
    }
    return offset
  }

  /// Calls `body` with each item and its level, from top to bottom; `body` returns whether to visit its children.
  func walk(_ body: (Entry, Int) -> Bool) {
    var open = [entries[0].children[...]]
    while let level = open.indices.last {
      guard let number = open[level].popFirst() else {
        open.removeLast()
        continue
      }
      if body(entries[number], level) { open.append(entries[number].children[...]) }
    }
  }

  private func row(of entry: Entry, _ level: Int) -> TreeRow<Item> {
    guard let item = entry.item else { fatalError("ItemTree: an entry below the top has no item") }
    return TreeRow(
      item: item, level: level, isExpanded: entry.isExpanded, hasChildren: !entry.children.isEmpty)
  }
}

extension ItemTree: Equatable {
  /// Whether both trees have the same items at the same positions, and the same items are expanded.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.count == rhs.count && lhs.rowCount == rhs.rowCount && lhs.all == rhs.all
  }

  /// All items as rows, from top to bottom.
  private var all: [TreeRow<Item>] {
    var all: [TreeRow<Item>] = []
    walk { entry, level in
      all.append(row(of: entry, level))
      return true
    }
    return all
  }
}

extension ItemTree: CustomStringConvertible, CustomReflectable {
  /// One line for each row.
  public var description: String { rows.map(\.description).joined(separator: "\n") }

  /// Shows the rows.
  public var customMirror: Mirror {
    Mirror(self, children: ["rows": rows], displayStyle: .struct)
  }
}
