@testable import AsyncDiff

/// Calls that break a rule.
///
/// Each call traps with a message, in debug and release builds.
struct TrapTests {
  /// A key whose `<` ignores its name, so that no key is less than another.
  private struct Rank: Hashable, Comparable, Sendable {
    let name: String
    static func < (lhs: Self, rhs: Self) -> Bool { false }
  }

  private typealias Trap = (call: @Sendable () throws -> Void, message: String)

  private static let calls: [Trap] = [
    (
      { _ = [1, 2].applying(Changeset(deletes: [5]), from: [1]) },
      "Array.applying(_:from:): needs a changeset from 2 rows to 1; got deletes 5"
    ),
    (
      { _ = Changeset(deletes: [3, 1]).offsets(from: 5) },
      "offsets(from:): needs a changeset with its parts in ascending order; got deletes 3, 1"
    ),
    (
      { _ = oneDay([1, 2]).item(at: at(0, 7)) },
      "DiffableSnapshot.item(at:): [0, 7] is out of bounds; the number of items in section 0 is 2"
    ),
    (
      { _ = oneDay([1, 2]).numberOfItems(in: 3) },
      "DiffableSnapshot.numberOfItems(in:): section 3 is out of bounds; the number of sections is 1"
    ),
    (
      { _ = ShownRows(RowTree([1, 2, 3]))[3] },
      "ShownRows: row 3 is out of bounds; the number of rows is 3"
    ),
    (
      { _ = ShownRows([1, 2, 3])[-1] },
      "ShownRows: row -1 is out of bounds; the number of rows is 3"
    ),
    (
      { _ = SizeRange(min: .init(width: 2, height: 0), max: .init(width: 1, height: 0)) },
      "SizeRange(min:max:): needs a min that does not exceed max"
    ),
    (
      { _ = DiffableDataSource(surface: StrictSurface<Day>(), reloadThreshold: -1) },
      "DiffableDataSource(reloadThreshold:): needs a threshold of at least 0; got -1"
    ),
    (
      { _ = DiffableDataSource(surface: StrictSurface<Day>(), nodeTasks: 0) },
      "DiffableDataSource(nodeTasks:): needs at least 1 task; got 0"
    ),
    (
      { _ = DiffableDataSource(surface: StrictSurface<Day>()).patches(history: -1) },
      "patches(since:full:history:): needs a history of at least 0 snapshots; got -1"
    ),
    (
      { _ = SnapshotRelay<Day>(history: -1) },
      "SnapshotRelay(_:history:): needs a history of at least 0 snapshots; got -1"
    ),
    (
      {
        let query = LiveQuery(of: Quote.self) { Quote(id: $0.id + "!") }
        _ = query.snapshot(of: LiveTable([Quote(id: "a")]))
      },
      "LiveQuery(of:_:): needs a closure that keeps the identifier a; got a!"
    ),
    (
      {
        let query = LiveQuery(of: Quote.self).sections { Rank(name: $0.id) }
        _ = query.snapshot(of: LiveTable([Quote(id: "a"), Quote(id: "b")]))
      },
      "LiveQuery.sections(by:): needs keys that are equal or have an order; got "
    ),
    (
      {
        let query = LiveQuery(of: Quote.self).sections { Rank(name: $0.id) }
        let table = LiveTable([Quote(id: "a")])
        var shown = DerivedSnapshot(query, of: table)
        var later = table
        later.upsert(Quote(id: "b"))
        _ = shown.update(to: later, query)
      },
      "of which neither is less than the other. Compare another property in '<'"
    ),
    (
      { _ = LiveQuery(of: Quote.self).window(-1..<2) },
      "LiveQuery.window(_:): needs ranks of at least 0; got -1..<2"
    ),
    (
      {
        var table = LiveTable([Quote(id: "a")])
        table.update(id: "a") { $0 = Quote(id: "b") }
      },
      "LiveTable.update(id:_:): needs a closure that keeps the identifier a; got b"
    ),
    (
      {
        var bytes = Measure<Int, UInt8> { UInt8($0) }
        _ = bytes.update(removing: ([], []), adding: ([200, 100], [1, 2]))
        _ = bytes.summary.sum
      }, "LiveSummary.sum: the sum of 2 values does not fit into UInt8"
    ),
  ]

  private static func batch(_ operations: ListOperations) -> @Sendable () -> Void {
    {
      let snapshot = oneDay([1, 2])
      _ = BatchUpdates(from: snapshot, to: snapshot, operations).pathMap
    }
  }

  /// Operations that would encode an offset that no receiver can use.
  private static let encoded: Trap = (
    {
      let snapshot = oneDay([1, 2])
      let operations = ListOperations(sectionDeletes: [1])
      _ = SnapshotPatch.Stage(BatchUpdates(from: snapshot, to: snapshot, operations))
    }, "sectionDeletes: 1 is out of bounds; the number of sections is 1"
  )

  private static let batches: [Trap] = [
    (.init(sectionDeletes: [1]), "sectionDeletes: 1 is out of bounds; the number of sections is 1"),
    (
      .init(sectionInserts: [.max]),
      "sectionInserts: \(Int.max) is out of bounds; the number of sections is 1"
    ),
    (.init(sectionMoves: [.init(from: 2, to: 0)]), "sectionMoves, from: 2 is out of bounds"),
    (.init(sectionMoves: [.init(from: 0, to: 1)]), "sectionMoves, to: 1 is out of bounds"),
    (.init(sectionUpdates: [.init(from: 1, to: 0)]), "sectionUpdates, from: 1 is out of bounds"),
    (.init(sectionUpdates: [.init(from: 0, to: -1)]), "sectionUpdates, to: -1 is out of bounds"),
    (.init(itemMoves: [.init(from: at(1, 0), to: at(0, 0))]), "itemMoves, from: 1 is out of"),
    (.init(itemUpdates: [.init(from: at(0, 0), to: at(1, 0))]), "itemUpdates, to: 1 is out of"),
    (
      .init(itemDeletes: [at(7, 9)]), "itemDeletes: 7 is out of bounds; the number of sections is 1"
    ),
    (
      .init(itemInserts: [at(0, 2)]),
      "itemInserts: [0, 2] is out of bounds; the number of items in section 0 is 2"
    ),
    (
      .init(itemUpdates: [.init(from: at(0, 3), to: at(0, 1))]),
      "itemUpdates, from: [0, 3] is out of bounds; the number of items in section 0 is 2"
    ),
    (
      .init(itemMoves: [.init(from: at(0, 0), to: at(0, 2))]),
      "itemMoves, to: [0, 2] is out of bounds; the number of items in section 0 is 2"
    ),
  ].map { (operations: ListOperations, message: String) in (batch(operations), message) }

  /// The calls that accept identifiers, each with NaN.
  private static let identifiers: [@Sendable () throws -> Void] = [
    { _ = Changeset(from: [NotANumber(), NotANumber(1)], to: [NotANumber()]) },
    {
      var tree = ItemTree<NotANumber>()
      try tree.append([NotANumber()])
    },
    {
      var table = LiveTable([NotANumber(1)])
      table.upsert(NotANumber())
    },
    { _ = LiveTable([NotANumber(1), NotANumber()]) },
    { _ = LiveTable([NotANumber(1)])[.nan] },
    {
      let table = LiveTable([NotANumber(1, key: .nan)])
      _ = LiveQuery(of: NotANumber.self).sections(by: \.key).snapshot(of: table)
    },
    { _ = DiffableSnapshot(sections: [Numbers(0, [NotANumber()])]).path(ofItem: 1) },
    {
      var snapshot = DiffableSnapshot<Numbers>()
      try snapshot.appendSections([Numbers(.nan, [])])
    },
    {
      var snapshot = DiffableSnapshot(sections: [Numbers(0, [])])
      try snapshot.appendItems([NotANumber()], toSection: 0)
    },
  ]

  private static let all =
    calls + batches + [encoded]
    + identifiers.map {
      ($0, "diffIdentifier: needs an identifier that is equal to itself; got nan. Use an")
    }

  @Test(
    "D1, D4, D12, D26, A4, A10: an invalid call traps with a message that says which rule the call breaks",
    arguments: all.indices)
  func trap(_ index: Int) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [index] in
      try TrapTests.all[index].call()
    }
    #expect(result.says(Self.all[index].message))
  }
}

private struct NotANumber: Diffable, Equatable, Sendable {
  let diffIdentifier: Double
  let key: Double

  init(_ diffIdentifier: Double = .nan, key: Double = 0) {
    (self.diffIdentifier, self.key) = (diffIdentifier, key)
  }
}

private struct Numbers: SectionInflator, Sendable {
  var diffIdentifier: Double
  var items: [NotANumber]

  init(_ diffIdentifier: Double = 0, _ items: [NotANumber]) {
    (self.diffIdentifier, self.items) = (diffIdentifier, items)
  }
}
