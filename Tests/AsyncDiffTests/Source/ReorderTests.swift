/// A surface whose user drags rows, and which reports each drag to a data source.
actor DragSurface: CollectionSurface {
  private(set) var rows: [[Int]] = []
  private(set) var batches: [BatchUpdates<Day>] = []
  private var strict: StrictRows<Day>?
  private let during: @Sendable () async -> Void

  init(during: @escaping @Sendable () async -> Void = {}) {
    self.during = during
  }

  /// A surface that shows some days, and its data source.
  static func showing(
    _ days: Days, during: @escaping @Sendable () async -> Void = {}
  ) async throws -> (DragSurface, DiffableDataSource<Day>) {
    let surface = DragSurface(during: during)
    let source = DiffableDataSource(surface: surface)
    try await source.apply(days)
    return (surface, source)
  }

  func reloadData(_ snapshot: Days) async {
    await during()
    strict = StrictRows(snapshot)
    rows = snapshot.ids
  }

  func performBatchUpdates(_ batch: BatchUpdates<Day>, animated: Bool) async throws {
    await during()
    batches.append(batch)
    // The batch starts at the shown rows, with the dragged row at its new position.
    #expect(rows == batch.previous.ids)
    try strict?.perform(batch)
    rows = batch.snapshot.ids
  }

  /// Drops a row at another position, as the user does.
  func drag(
    _ from: ItemPath, _ to: ItemPath, _ source: DiffableDataSource<Day>
  ) -> ReorderTransaction<Day>? {
    let row = rows[from.section].remove(at: from.item)
    rows[to.section].insert(row, at: to.item)
    let transaction = source.reorder(from: from, to: to)
    if let transaction {
      strict = StrictRows(transaction.after)
    } else {
      rows[to.section].remove(at: to.item)
      rows[from.section].insert(row, at: from.item)
    }
    return transaction
  }
}

@Suite struct ReorderTests {
  /// A row whose `==` ignores a field.
  private struct Part: Diffable, Equatable, Sendable {
    let diffIdentifier: Int
    var hidden = 0
    static func == (a: Part, b: Part) -> Bool { a.diffIdentifier == b.diffIdentifier }
  }
  private struct Parts: SectionInflator {
    var diffIdentifier: Int { 0 }
    var items: [Part]
  }
  private actor PartSurface: CollectionSurface {
    func reloadData(_ snapshot: DiffableSnapshot<Parts>) {}
    func performBatchUpdates(_ batch: BatchUpdates<Parts>, animated: Bool) {}
  }

  @Test(
    "D20: applied(to:) moves the row in the given snapshot and keeps the row's fields from that snapshot"
  )
  func appliedKeepsFields() async throws {
    func list(_ hidden: Int) -> DiffableSnapshot<Parts> {
      DiffableSnapshot(
        sections: [Parts(items: (1...3).map { Part(diffIdentifier: $0, hidden: hidden) })])
    }
    let surface = PartSurface()
    let source = DiffableDataSource(surface: surface)
    try await source.apply(list(0))
    let drag = try #require(source.reorder(from: at(0, 0), to: at(0, 2)))
    let rows = drag.applied(to: list(7)).sections[0].rows
    #expect(rows.map(\.diffIdentifier) == [2, 3, 1] && rows.map(\.hidden) == [7, 7, 7])
  }

  @Test("D20: a dragged row is not moved again, and its move is reported")
  func moved() async throws {
    let surface = DragSurface()
    let source = DiffableDataSource(surface: surface)
    let reorders = Recorder(source.reorders)
    try await source.apply(Days(sections: [Day("a", ids: [1, 2, 3]), Day("b", ids: [4])]))
    let transaction = try #require(await surface.drag(at(0, 0), at(0, 2), source))
    #expect(
      transaction.before.ids == [[1, 2, 3], [4]] && transaction.after.ids == [[2, 3, 1], [4]])
    #expect(transaction.item.id == 1 && source.snapshot == transaction.after)
    #expect(transaction.batch.pathMap.newPath(of: at(0, 0)) == at(0, 2))
    #expect(try await source.apply(transaction.after) == .unchanged)
    _ = try #require(await surface.drag(at(0, 1), at(1, 1), source))
    #expect(source.snapshot.ids == [[2, 1], [4, 3]])
    #expect(await surface.batches.isEmpty)
    await reorders.wait(for: 2)
    #expect(reorders.elements.map(\.move.to) == [at(0, 2), at(1, 1)])
  }

  @Test("D20: the order of a later snapshot overrides a drag")
  func meanwhile() async throws {
    let (surface, source) = try await DragSurface.showing(oneDay([1, 2, 3]))
    _ = await surface.drag(at(0, 2), at(0, 0), source)
    #expect(
      try await source.apply(oneDay([1, 2, 3, 4])) == .updated(2), "one row moves, one is new")
    #expect(await surface.rows == [[1, 2, 3, 4]])
  }

  @Test("D20: a drag can be put back unless a newer snapshot sets the order")
  func refused() async throws {
    let (surface, source) = try await DragSurface.showing(oneDay([1, 2, 3]))
    let transaction = try #require(await surface.drag(at(0, 0), at(0, 1), source))
    #expect(source.putBack(transaction))
    for await snapshot in source.snapshots where snapshot == oneDay([1, 2, 3]) { break }
    #expect(await surface.rows == [[1, 2, 3]])
    let another = try #require(await surface.drag(at(0, 0), at(0, 1), source))
    try await source.apply(oneDay([3, 2, 1]))
    #expect(!source.putBack(another))
    #expect(await surface.rows == [[3, 2, 1]])
  }

  @Test(
    "D20, D1: if rows have the same identifier, putting back the last drag leaves the others in place"
  )
  func refusedAmongEqualIdentifiers() async throws {
    let (surface, source) = try await DragSurface.showing(oneDay([9, 1, 2, 1]))
    let kept = await surface.drag(at(0, 0), at(0, 3), source)
    let refused = try #require(await surface.drag(at(0, 1), at(0, 0), source))
    #expect(await surface.rows == [[2, 1, 1, 9]])
    #expect(source.putBack(refused))
    for await snapshot in source.snapshots where snapshot.ids != [[2, 1, 1, 9]] { break }
    #expect(await surface.rows == [[1, 2, 1, 9]])
    #expect(kept?.applied(to: oneDay([9, 1, 2, 1])).ids == [[1, 9, 2, 1]], "of another snapshot")
  }

  @Test("D20, D9: a row is put back if the snapshot that decides its position is cancelled")
  func cancelledDecision() async throws {
    actor Plain: CollectionSurface {
      func reloadData(_ snapshot: DiffableSnapshot<SlowDay>) {}
      func performBatchUpdates(_ batch: BatchUpdates<SlowDay>, animated: Bool) {}
    }
    let (surface, nodes) = (Plain(), Gate())
    let source = DiffableDataSource(surface: surface)
    let start = slowDay([1, 2, 3, 4], behind: nodes)
    try await source.apply(start)
    let drag = try #require(source.reorder(from: at(0, 0), to: at(0, 3)))
    let decision = Task { try await source.apply(slowDay([1, 2, 3, 4, 5], behind: nodes)) }
    await nodes.hasArrived(1)
    #expect(source.putBack(drag))
    decision.cancel()
    await #expect(throws: CancellationError.self) { try await decision.value }
    for await snapshot in source.snapshots where snapshot == start { break }
    nodes.open()
  }

  @Test("D20: reorder returns nil during a call to the surface, and if a path is out of range")
  func tooEarly() async throws {
    let gate = Gate()
    let surface = DragSurface { await gate.wait() }
    let source = DiffableDataSource(surface: surface)
    #expect(source.reorder(from: at(0, 0), to: at(0, 1)) == nil, "nothing is shown")
    async let first = source.apply(oneDay([1, 2]))
    await gate.hasArrived(1)
    #expect(source.reorder(from: at(0, 0), to: at(0, 1)) == nil)
    gate.open()
    #expect(try await first == .reloaded)
    for (from, to) in [(at(0, 2), at(0, 0)), (at(0, 0), at(0, 2)), (at(0, 0), at(1, 0))] {
      #expect(source.reorder(from: from, to: to) == nil)
    }
    #expect(source.reorder(from: at(0, 0), to: at(0, 1)) != nil)
  }
}
