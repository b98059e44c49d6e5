import AsyncDiff
import Measure

/// Measures edits of a tree that shares its storage with a copy, because a data source keeps a copy of the shown tree.
func reportTrees() {
  let report = Report([
    "roots", "created, ms", "rows, ms", "item inserted at the front, µs",
    "item of 10 rows toggled, µs",
    "item deleted and inserted again, µs",
  ])
  for count in [1_000, 10_000, 100_000, 1_000_000] {
    func make() -> ItemTree<Folder> {
      var tree = ItemTree<Folder>()
      edit { try tree.append((0..<count).map { Folder(diffIdentifier: $0) }) }
      edit { try tree.append((0..<10).map { Folder(diffIdentifier: -1 - $0) }, to: count / 2) }
      return tree
    }
    let made = minimum(of: 3) { consume(make()) }
    let tree = make()
    let rows = minimum(of: 5) { consume(tree.rows) }
    /// The time of the first edit of a copy, which also copies the tree's storage.
    func time(_ change: (inout ItemTree<Folder>) throws -> Void) -> String {
      let time = minimum(of: 25) {
        var copy = tree
        edit { try change(&copy) }
        consume(copy)
      }
      return figure(time.nanoseconds / 1_000)
    }
    report.row(
      "\(count)", figure(made.milliseconds), figure(rows.milliseconds),
      time { try $0.insert([Folder(diffIdentifier: count)], before: 0) },
      time { try $0.toggle(count / 2) },
      time {
        try $0.delete([1])
        try $0.insert([Folder(diffIdentifier: 1)], after: 0)
      })
  }
}

private struct Folder: Diffable, Equatable, Sendable {
  let diffIdentifier: Int
}

private func edit(_ body: () throws -> Void) {
  do { try body() } catch { fatalError("\(error)") }
}
