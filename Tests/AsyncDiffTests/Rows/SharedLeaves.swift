@testable import AsyncDiff

extension RowTree where Row: Equatable {
  /// A tree of rows that all have the tag 0.
  init(_ rows: [Row]) { self.init(rows, tags: rows.map { _ in 0 }) }

  /// Returns a version with new rows, which shares unchanged leaves with this version.
  func becoming(_ new: [Row]) -> RowTree {
    var tree = self
    var start = 0
    tree.mapLeaves { leaf, next in
      var end = new.count
      if let next {
        // If the next leaf's rows are not found nearby, that leaf has also changed, so this leaf keeps its old length.
        let last = min(new.count - next.rows.count, start + leaf.rows.count + 2_000)
        let found = (start..<max(start, last + 1)).first {
          new[$0] == next.rows[0] && new[$0..<$0 + next.rows.count].elementsEqual(next.rows)
        }
        end = found ?? min(new.count, start + leaf.rows.count)
      }
      defer { start = end }
      let rows = Array(new[start..<end])
      return rows == leaf.rows ? nil : (rows, rows.map { _ in 0 })
    }
    return tree
  }
}

extension ShownSection where Section == Day {
  /// The section stored as a tree, which shares unchanged leaves with the older version.
  func asTree(since old: Self? = nil) -> Self {
    let tree = old?.rows.tree?.becoming(items) ?? RowTree(items)
    return Self(diffIdentifier: diffIdentifier, content: content, rows: ShownRows(tree))
  }
}
