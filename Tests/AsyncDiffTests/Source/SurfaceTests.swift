/// A surface that throws in some of its calls and has its own node policy.
actor PickySurface: CollectionSurface {
  struct Broken: Error, Equatable {
    let call: Int
  }

  nonisolated let nodePolicy: NodeDemand.Policy
  private(set) var rows: StrictRows<Day>?
  private(set) var reloads: [NodeSet] = []
  private(set) var batches: [BatchUpdates<Day>] = []
  private var failing: Set<Int> = []
  private var calls = 0

  init(nodePolicy: NodeDemand.Policy = .changedRows, failing: Set<Int> = []) {
    self.nodePolicy = nodePolicy
    self.failing = failing
  }

  private func called() throws {
    calls += 1
    if failing.contains(calls) { throw Broken(call: calls) }
  }

  func reloadData(_ snapshot: Days) async throws {
    try await reloadData(snapshot, nodes: NodeSet())
  }

  func reloadData(_ snapshot: Days, nodes: NodeSet) async throws {
    try called()
    rows = StrictRows(snapshot)
    reloads.append(nodes)
  }

  func performBatchUpdates(_ batch: BatchUpdates<Day>, animated: Bool) async throws {
    try called()
    try rows?.perform(batch)
    batches.append(batch)
  }

  /// Requests the cells of the first two rows.
  func nodeDemand(for snapshot: Days) async -> NodeDemand {
    NodeDemand(
      paths: snapshot.paths.prefix(2),
      context: NodeContext(containerSize: .init(width: 40, height: 10)))
  }
}

@Suite struct SurfaceTests {
  @Test("D22: apply throws the surface's error, and the next apply reloads")
  func failing() async throws {
    let surface = PickySurface(failing: [2])
    let source = DiffableDataSource(surface: surface)
    let failures = Recorder(source.failures)
    try await source.apply(oneDay([1]))
    await #expect(throws: PickySurface.Broken(call: 2)) { try await source.apply(oneDay([1, 2])) }
    #expect(source.snapshot == oneDay([1]), "the last snapshot that was shown")
    #expect(try await source.apply(oneDay([1, 2])) == .reloaded)
    #expect(try await source.apply(oneDay([2])) == .updated(1))
    #expect(await surface.rows?.matches(oneDay([2])) == true)
    await failures.wait(for: 1)
  }

  @Test("D20, D22: after a failed call no row can be dragged, and the next apply still reloads")
  func dragAfterFailure() async throws {
    let surface = PickySurface(failing: [2])
    let source = DiffableDataSource(surface: surface)
    try await source.apply(oneDay([1, 2]))
    await #expect(throws: PickySurface.Broken.self) { try await source.apply(oneDay([1])) }
    #expect(source.reorder(from: at(0, 0), to: at(0, 1)) == nil)
    #expect(try await source.apply(oneDay([2, 1])) == .reloaded)
  }

  @Test("D22: a surface that throws in the second of two stages is reloaded by the next apply")
  func failingBetweenStages() async throws {
    let surface = PickySurface(failing: [3])
    let source = DiffableDataSource(surface: surface)
    try await source.apply(Days(sections: [Day("a", ids: [1]), Day("b", ids: [2])]))
    let new = Days(sections: [Day("b", ids: [2, 1])])
    await #expect(throws: PickySurface.Broken.self) { try await source.apply(new) }
    #expect(await surface.batches.count == 1)
    #expect(try await source.apply(new) == .reloaded)
    #expect(await surface.rows?.matches(new) == true)
  }

  @Test("D22: after a failed first reload, the next snapshot causes a reload")
  func failingAtFirst() async throws {
    let surface = PickySurface(failing: [1])
    let source = DiffableDataSource(surface: surface)
    await #expect(throws: PickySurface.Broken(call: 1)) { try await source.apply(oneDay([1])) }
    #expect(source.snapshot == Days())
    #expect(try await source.apply(oneDay([2])) == .reloaded)
    #expect(await surface.rows?.matches(oneDay([2])) == true)
  }

  @Test(
    "D16: a surface gets the cells and sizes of the new rows that it will show, even for a reload"
  )
  func onDemand() async throws {
    let surface = PickySurface(nodePolicy: .onDemand)
    let source = DiffableDataSource(surface: surface)
    try await source.apply(oneDay([1, 2, 3, 4]))
    let reload = try #require(await surface.reloads.first)
    #expect(Set(reload.nodes.keys) == [at(0, 0), at(0, 1)])
    #expect(reload.sizes[at(0, 1)] == .automaticSize(width: 40))
    try await source.apply(oneDay([9, 1, 2, 3, 4, 8]))
    let batch = try #require(await surface.batches.first)
    #expect(Set(batch.nodes.keys) == [at(0, 0)], "the other new row is not on screen")
    #expect(Set(batch.sizes.keys) == [at(0, 0)])
  }

  @Test("D16: in each stage, a surface is asked which rows of the stage's snapshot it will show")
  func onDemandInStages() async throws {
    actor Surface: CollectionSurface {
      nonisolated let nodePolicy = NodeDemand.Policy.onDemand
      var asked: [Days] = []
      var batches: [BatchUpdates<Day>] = []
      func nodeDemand(for snapshot: Days) async -> NodeDemand {
        asked.append(snapshot)
        return NodeDemand(paths: snapshot.paths)
      }
      func reloadData(_ snapshot: Days) async {}
      func performBatchUpdates(_ batch: BatchUpdates<Day>, animated: Bool) async {
        batches.append(batch)
      }
    }
    let surface = Surface()
    let source = DiffableDataSource(surface: surface)
    let old = Days(sections: [Day("a", ids: [1, 2]), Day("b", ids: [3, 4])])
    let new = Days(sections: [Day("c", ids: [3, 1, 5]), Day("a", ids: [2, 6])])
    try await source.apply(old)
    try await source.apply(new)
    let stages = await surface.batches.map(\.snapshot)
    #expect(stages.count == 3)
    #expect(await surface.asked == [old] + stages)
  }

  @Test("D16: nodes(for:) builds the cells of rows that scroll into view")
  func nodesLater() async throws {
    let source = DiffableDataSource(surface: PickySurface())
    #expect(await source.nodes(for: NodeDemand(paths: [at(0, 0)])).nodes.isEmpty)
    let surface = PickySurface()
    let shown = DiffableDataSource(surface: surface)
    try await shown.apply(oneDay([1, 2]))
    let set = await shown.nodes(
      for: NodeDemand(
        paths: [at(0, 1), at(0, 1), at(7, 7)],
        context: NodeContext(containerSize: .init(width: 5, height: 5))))
    #expect(set.nodes.mapValues { ($0 as? TitleNode)?.path } == [at(0, 1): at(0, 1)])
    #expect(set.sizes.count == 1)
  }

  @Test(
    "D16: rows of inserted and removed sections count toward the threshold")
  func threshold() async throws {
    let surface = StrictSurface<Day>()
    let source = DiffableDataSource(surface: surface, reloadThreshold: 3)
    try await source.apply(Days())
    #expect(try await source.apply(oneDay([1, 2, 3])) == .reloaded, "a section and three rows")
    #expect(try await source.apply(Days()) == .reloaded)
    #expect(try await source.apply(oneDay([1, 2])) == .updated(1))
  }

  @Test("D8: a small list that the main actor applies is shown before other main-actor jobs run")
  @MainActor func sameTurn() async throws {
    let surface = TurnSurface()
    let source = DiffableDataSource(surface: surface)
    for ids in [[1], [1, 2], [2, 1, 3]] {
      surface.turns = 0
      Task { surface.turns += 1 }
      try await source.apply(oneDay(ids))
      #expect(surface.turnsAtLastCall == 0, "no other main-actor job ran in between")
      #expect(surface.shown == oneDay(ids))
      await Task.yield()
    }
  }
}

/// A main-actor surface that records how many other main-actor jobs, which the test counts, had run at its last call.
@MainActor private final class TurnSurface: CollectionSurface {
  nonisolated var nodePolicy: NodeDemand.Policy { .none }
  var turns = 0
  var turnsAtLastCall = -1
  var shown = Days()

  func reloadData(_ snapshot: Days) async {
    turnsAtLastCall = turns
    shown = snapshot
  }

  func performBatchUpdates(_ batch: BatchUpdates<Day>, animated: Bool) async {
    turnsAtLastCall = turns
    shown = batch.snapshot
    #expect(batch.nodes.isEmpty)
  }
}
