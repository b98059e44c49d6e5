import AsyncDiff

actor LineSurface: CollectionSurface {
  private(set) var lines: [[String]] = []

  func reloadData(_ snapshot: DiffableSnapshot<Day>) async {
    lines = snapshot.sections.indices.map { snapshot.items(in: $0).map(\.title) }
  }

  func performBatchUpdates(_ batch: BatchUpdates<Day>, animated: Bool) async {
    let old = lines
    for path in (batch.itemDeletes + batch.itemMoves.map(\.from)).sorted().reversed() {
      lines[path.section].remove(at: path.item)
    }

    var coming = batch.sectionMoves.map { (offset: $0.to, lines: lines[$0.from]) }
    coming += batch.sectionInserts.map { section in
      (offset: section, lines: batch.snapshot.items(in: section).map(\.title))
    }
    for section in (batch.sectionDeletes + batch.sectionMoves.map(\.from)).sorted().reversed() {
      lines.remove(at: section)
    }
    for section in coming.sorted(by: { $0.offset < $1.offset }) {
      lines.insert(section.lines, at: section.offset)
    }

    var rows = batch.itemMoves.map { (path: $0.to, line: old[$0.from.section][$0.from.item]) }
    rows += batch.itemInserts.map { (path: $0, line: batch.snapshot.item(at: $0).title) }
    for row in rows.sorted(by: { $0.path < $1.path }) {
      lines[row.path.section].insert(row.line, at: row.path.item)
    }
    for update in batch.itemUpdates {
      lines[update.to.section][update.to.item] = batch.snapshot.item(at: update.to).title
    }
  }
}
