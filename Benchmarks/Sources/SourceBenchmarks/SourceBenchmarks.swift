import AsyncDiff
import Measure

/// Measures snapshots, `apply` and events.
@main
struct SourceBenchmarks {
  static func main() async throws {
    Report.header("Snapshots and the data source")
    let report = Report(["work", "ns each"])
    snapshots(report)
    erasure(report)
    try await source(report)
    try await large()
  }

  /// Measures `apply` with 1,000,000 rows.
  private static func large() async throws {
    let report = Report(["apply, 1,000,000 rows", "ms"])
    let lists = (0..<1_000).map { section in
      (0..<1_000).map { AnyNodable(Row(id: section * 1_000 + $0)) }
    }
    var changed = lists
    changed[500][7] = AnyNodable(Row(id: 500_007, turn: 1))
    let snapshots = [lists, changed].map { lists in
      DiffableSnapshot(sections: lists.indices.map { ErasedBlock(id: $0, items: lists[$0]) })
    }
    let erased = NullSurface<ErasedBlock>()
    let source = DiffableDataSource(surface: erased)
    try await source.apply(snapshots[1])
    let shared = try await minimum(of: 9) {
      for snapshot in snapshots { try await source.apply(snapshot) }
    }
    report.row(
      "1,000 sections of `AnyNodable` that share their storage, one row changed",
      figure(shared.milliseconds / 2))
    let surface = NullSurface<Block>()
    let other = DiffableDataSource(surface: surface)
    let none = DiffableSnapshot<Block>()
    let all = DiffableSnapshot(sections: [Block(id: 0, items: rows(0..<1_000_000))])
    try await other.apply(none)
    var coming = Duration.seconds(60)
    var going = Duration.seconds(60)
    let clock = ContinuousClock()
    for _ in 0..<5 {
      coming = min(coming, try await clock.measure { try await other.apply(all) })
      going = min(going, try await clock.measure { try await other.apply(none) })
    }
    report.row("a section with all rows is inserted", figure(coming.milliseconds))
    report.row("the section is deleted", figure(going.milliseconds))
  }

  private static func snapshots(_ report: Report) {
    let sections = (0..<100).map { Block(id: $0, items: rows($0 * 1_000..<($0 + 1) * 1_000)) }
    let snapshot = DiffableSnapshot(sections: sections)
    let creation = minimum(repetitions: 10) { consume(DiffableSnapshot(sections: sections)) }
    report.row("a snapshot of 100 sections × 1,000 rows", figure(creation.nanoseconds))
    let first = minimum {
      let copy = DiffableSnapshot(sections: sections)
      consume(copy.path(ofItem: 5))
    }
    report.row(
      "the first lookup in this snapshot, per row of 100,000", figure(first.nanoseconds / 1e5))
    let next = minimum(repetitions: 1_000) { consume(snapshot.path(ofItem: 99_999)) }
    report.row("each further lookup", figure(next.nanoseconds))
    let appends = minimum {
      var copy = DiffableSnapshot(sections: [Block(id: 0, items: [])])
      try? copy.appendItems((0..<10_000).map { Row(id: $0) }, toSection: 0)
      consume(copy)
    }
    report.row("appendItems, 10,000 rows with one call, per row", figure(appends.nanoseconds / 1e4))
  }

  private static func erasure(_ report: Report) {
    for (name, change) in [("1 row changed", changedOne), ("100 rows rotated", rotated)] {
      let (old, new) = (rows(0..<10_000), change(rows(0..<10_000)))
      let typed = (
        DiffableSnapshot(sections: [Block(id: 0, items: old)]),
        DiffableSnapshot(sections: [Block(id: 0, items: new)])
      )
      let erased = (
        DiffableSnapshot(sections: [MixedBlock(items: old.map(AnyNodable.init))]),
        DiffableSnapshot(sections: [MixedBlock(items: new.map(AnyNodable.init))])
      )
      let times = minima(
        of: 15,
        [
          { consume(typed.0.batches(to: typed.1)) }, { consume(erased.0.batches(to: erased.1)) },
        ])
      report.row("batches(to:), 10,000 rows, \(name), per row", figure(times[0].nanoseconds / 1e4))
      report.row("the same rows as AnyNodable", figure(times[1].nanoseconds / 1e4))
    }
  }

  private static func source(_ report: Report) async throws {
    let surface = NullSurface<Block>()
    let source = DiffableDataSource(surface: surface)
    let snapshots = (0..<2).map { turn in
      DiffableSnapshot(sections: [Block(id: 0, items: [Row(id: 0, turn: turn), Row(id: 1)])])
    }
    let applies = try await minimum(repetitions: 1_000) {
      for snapshot in snapshots { try await source.apply(snapshot) }
    }
    report.row("apply of a changed row, including its node", figure(applies.nanoseconds / 2))
    let (old, new) = (rows(0..<10_000), changedOne(rows(0..<10_000)))
    let long = [old, new].map { DiffableSnapshot(sections: [Block(id: 0, items: $0)]) }
    let longApplies = try await minimum(repetitions: 10) {
      for snapshot in long { try await source.apply(snapshot) }
    }
    report.row("apply of 10,000 rows, 1 row changed", figure(longApplies.nanoseconds / 2))
    try await source.apply(snapshots[0])
    let path = ItemPath(section: 0, item: 1)
    let events = source.events(of: Row.self)
    var iterator = events.makeAsyncIterator()
    let sending = await minimum(repetitions: 1_000) {
      source.send(.didSelect, at: path)
      consume(await iterator.next())
    }
    report.row("from sending an event until one listener has it", figure(sending.nanoseconds))
  }

  private static func rows(_ ids: Range<Int>) -> [Row] { ids.map { Row(id: $0) } }

  private static func changedOne(_ rows: [Row]) -> [Row] {
    var rows = rows
    rows[rows.count / 2].turn = 1
    return rows
  }

  private static func rotated(_ rows: [Row]) -> [Row] {
    Array(rows.dropFirst(100) + rows.prefix(100))
  }
}

private struct Row: Nodable {
  let id: Int
  var turn = 0
  var diffIdentifier: Int { id }

  func nodeBlock(with channel: NodeEventChannel, at path: ItemPath) -> NodeBlock { { Node() } }

  struct Node: CellNode {}
}

private struct Block: SectionInflator {
  let id: Int
  let items: [Row]
  var diffIdentifier: Int { id }
}

private struct MixedBlock: SectionInflator {
  let items: [AnyNodable]
  var diffIdentifier: Int { 0 }
}

private struct ErasedBlock: SectionInflator {
  let id: Int
  let items: [AnyNodable]
  var diffIdentifier: Int { id }
}

private actor NullSurface<Section: SectionInflator>: CollectionSurface {
  func reloadData(_ snapshot: DiffableSnapshot<Section>) async {}
  func performBatchUpdates(_ batch: BatchUpdates<Section>, animated: Bool) async {}
}
