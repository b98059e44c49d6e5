/// A forest as plain nested values, without an index.
struct Forest {
  struct Tree {
    var id: Int
    var isExpanded = false
    var children: [Tree] = []
  }

  var roots: [Tree] = []

  var ids: [Int] { Self.all(roots).map(\.id) }

  private static func all(_ trees: [Tree]) -> [Tree] { trees.flatMap { [$0] + all($0.children) } }

  /// The rows, each as its identifier, its level, and 1 if it is expanded or 0 if not.
  var rows: [[Int]] { Self.rows(roots, level: 0) }

  private static func rows(_ trees: [Tree], level: Int) -> [[Int]] {
    trees.flatMap { tree in
      [[tree.id, level, tree.isExpanded ? 1 : 0]]
        + (tree.isExpanded ? rows(tree.children, level: level + 1) : [])
    }
  }

  /// Calls `body` with the list that contains the item, and with the item's offset in that list.
  mutating func change(_ id: Int, _ body: (inout [Tree], Int) -> Void) {
    func go(_ trees: inout [Tree]) -> Bool {
      if let offset = trees.firstIndex(where: { $0.id == id }) {
        body(&trees, offset)
        return true
      }
      for index in trees.indices where go(&trees[index].children) { return true }
      return false
    }
    _ = go(&roots)
  }

  func contains(_ id: Int, below ancestor: Int) -> Bool {
    Self.all(roots).first { $0.id == ancestor }.map { Self.all([$0]).contains { $0.id == id } }
      ?? false
  }
}

/// Makes the same edits, chosen by numbers, to a tree and to the plain forest.
struct TreeDriver {
  private(set) var tree = ItemTree<Article>()
  private(set) var forest = Forest()
  private var next = 0

  /// Makes one edit.
  ///
  /// - Parameters:
  ///   - kind: The kind of the edit.
  ///   - first: Chooses the item to edit.
  ///   - second: Chooses a second item, if the edit needs one.
  /// - Returns: The first mismatch after the edit, or `nil`.
  mutating func step(_ kind: Int, _ first: Int, _ second: Int) -> String? {
    let before = tree
    let ids = forest.ids
    let id = ids.isEmpty ? nil : ids[first % ids.count]
    let other = ids.isEmpty ? nil : ids[second % ids.count]
    next += 1
    let new = next
    var shown: Range<Int>?
    var isExpansion = false
    do {
      switch (kind % 8, id, other) {
      case (0, let id?, _):
        try tree.append([Article(new)], to: id)
        forest.change(id) { $0[$1].children.append(.init(id: new)) }
      case (1, let id?, _):
        try tree.insert([Article(new)], before: id)
        forest.change(id) { $0.insert(.init(id: new), at: $1) }
      case (2, let id?, _):
        try tree.insert([Article(new)], after: id)
        forest.change(id) { $0.insert(.init(id: new), at: $1 + 1) }
      case (3, let id?, let other?) where ids.count > 6:
        try tree.delete([id, other])
        forest.change(id) { $0.remove(at: $1) }
        forest.change(other) { $0.remove(at: $1) }
      case (4, let id?, let other?) where !forest.contains(other, below: id):
        try tree.move(id, to: other)
        var moved: Forest.Tree?
        forest.change(id) { moved = $0.remove(at: $1) }
        if let moved { forest.change(other) { $0[$1].children.append(moved) } }
      case (5, let id?, let other?) where !forest.contains(other, below: id):
        try tree.move(id, before: other)
        var moved: Forest.Tree?
        forest.change(id) { moved = $0.remove(at: $1) }
        if let moved { forest.change(other) { $0.insert(moved, at: $1) } }
      case (6, let id?, _), (7, let id?, _):
        isExpansion = true
        shown = try tree.toggle(id)
        forest.change(id) { $0[$1].isExpanded.toggle() }
      default:
        try tree.append([Article(new)])
        forest.roots.append(.init(id: new))
      }
    } catch {
      return "\(error)"
    }
    return complaint(since: before, shown: isExpansion ? shown : nil, isExpansion: isExpansion)
  }

  private func complaint(
    since before: ItemTree<Article>, shown: Range<Int>?, isExpansion: Bool
  ) -> String? {
    let rows = tree.rows
    guard rows.map({ [$0.item.id, $0.level, $0.isExpanded ? 1 : 0] }) == forest.rows
    else { return "the rows differ from the rows of the forest" }
    guard rows.count == tree.rowCount else { return "rows are miscounted" }
    for (offset, row) in rows.enumerated() {
      guard tree.row(at: offset) == row else { return "row \(offset) is wrong" }
      guard tree.rowOffset(of: row.item.id) == offset else { return "offset of \(row) is wrong" }
      guard tree.level(of: row.item.id) == row.level else { return "level of \(row) is wrong" }
    }
    let isShown = Set(rows.map(\.item.id))
    for id in forest.ids where !isShown.contains(id) && tree.rowOffset(of: id) != nil {
      return "\(id) has a row"
    }
    let change = Changeset(from: before.rows, to: rows)
    guard before.rows.applying(change, from: rows) == rows else {
      return "the change leads to wrong rows"
    }
    guard isExpansion else { return nil }
    let range = Array(shown ?? 0..<0)
    let isRight =
      change.moves.isEmpty
      && (change.inserts == range && change.deletes.isEmpty
        || change.deletes == range && change.inserts.isEmpty)
    return isRight ? nil : "expanding changes other rows: \(change), not \(range)"
  }
}
