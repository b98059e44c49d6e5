extension ItemTree {
  /// The rows, from top to bottom: the items of a section that shows this tree.
  ///
  /// - Complexity: O(rows).
  public var rows: [TreeRow<Item>] {
    var rows: [TreeRow<Item>] = []
    rows.reserveCapacity(rowCount)
    // The open lists, from the top down, each with the place of its next member.
    var open: [(list: SiblingList, next: Int)] = [(roots, 0)]
    while let (list, next) = open.last {
      guard next < list.members.count else {
        open.removeLast()
        continue
      }
      open[open.count - 1].next += 1
      let node = self[list.members[next]]
      rows.append(row(of: node, level: open.count - 1))
      if node.isExpanded, !node.children.members.isEmpty { open.append((node.children, 0)) }
    }
    return rows
  }

  /// The row at an offset.
  ///
  /// - Parameter offset: The offset.
  /// - Returns: The row.
  /// - Precondition: `offset` is at least 0 and less than ``rowCount``.
  /// - Complexity: O(depth · log *n*).
  public func row(at offset: Int) -> TreeRow<Item> {
    require(
      (0..<rowCount).contains(offset),
      "row(at:): \(offset) is out of bounds; there are \(rowCount) rows")
    var (list, rest, level) = (roots, offset, 0)
    while true {
      let (place, before) = list.place(ofRow: rest)
      let node = self[list.members[place]]
      if before == rest { return row(of: node, level: level) }
      (list, rest, level) = (node.children, rest - before - 1, level + 1)
    }
  }

  /// The offset of an item's row; `nil` if the item is not a row.
  ///
  /// - Parameter id: The identifier of the item.
  /// - Returns: The offset, or `nil`.
  /// - Complexity: O(depth · log *n*).
  public func rowOffset(of id: ID) -> Int? {
    guard isShown(id), var number = numbers[id] else { return nil }
    var offset = 0
    while true {
      let node = self[number]
      offset += siblings(under: node.parent).rows(before: node.place)
      guard let parent = node.parent else { return offset }
      offset += 1
      number = parent
    }
  }

  /// The change from the rows of an older tree to those of this one.
  ///
  /// - Parameter old: The older tree.
  /// - Returns: The change.
  /// - Complexity: That of comparing two lists.
  public func rowChanges(from old: ItemTree) -> Changeset { Changeset(from: old.rows, to: rows) }

  private func row(of node: Node, level: Int) -> TreeRow<Item> {
    TreeRow(
      item: node.item, level: level, isExpanded: node.isExpanded,
      hasChildren: !node.children.members.isEmpty)
  }
}

extension ItemTree: Equatable {
  /// Whether both have the same items in the same places, expanded alike.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    guard lhs.count == rhs.count else { return false }
    var pairs = [(lhs.roots, rhs.roots)]
    while let (left, right) = pairs.popLast() {
      guard left.members.count == right.members.count else { return false }
      for (leftMember, rightMember) in zip(left.members, right.members) {
        let (left, right) = (lhs[leftMember], rhs[rightMember])
        guard left.item == right.item, left.isExpanded == right.isExpanded else { return false }
        pairs.append((left.children, right.children))
      }
    }
    return true
  }
}

extension ItemTree: CustomStringConvertible {
  /// One line for each row.
  public var description: String { rows.map(\.description).joined(separator: "\n") }
}
