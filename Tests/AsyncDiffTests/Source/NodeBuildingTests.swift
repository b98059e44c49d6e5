@Suite struct NodeBuildingTests {
  private func nodes(of batch: BatchUpdates<Day>?) -> [ItemPath: TitleNode]? {
    batch?.nodes.compactMapValues { $0 as? TitleNode }
  }

  @Test("A11: a reloaded item gets a new cell, and a reconfigured item keeps its cell")
  func marks() async throws {
    let (surface, source) = try await strictSource(showing: oneDay([1, 2, 3]))
    var marked = source.snapshot
    try marked.reloadItems([1])
    try marked.reconfigureItems([2, 3])
    try marked.reloadItems([3])
    #expect(try await source.apply(marked) == .updated(3))
    #expect(nodes(of: await surface.lastBatch)?.keys.sorted() == [at(0, 0), at(0, 2)])
    #expect(try await source.apply(source.snapshot) == .unchanged, "a mark is applied once")
  }

  @Test("D15: reconfigured items keep their cells in each source, even if their marks were merged")
  func manyMarks() async throws {
    let ids = Array(1...9)
    let (first, source) = try await strictSource(showing: oneDay(ids))
    let (surface, other) = try await strictSource(showing: oneDay(ids))
    var marked = source.snapshot
    for id in ids.dropLast() { try marked.reconfigureItems([id]) }
    #expect(try await source.apply(marked) == .updated(8))
    #expect(await first.lastBatch?.nodes.isEmpty == true)
    // The ninth mark merges the marks that `source` has applied.
    try marked.reconfigureItems([9])
    #expect(try await other.apply(marked) == .updated(9))
    #expect(await surface.lastBatch?.nodes.isEmpty == true)
  }

  @Test("D8: the marks of a superseded snapshot are applied by its replacement")
  func inheritedMarks() async throws {
    let gate = Gate()
    let (surface, source) = strictSource { _ in await gate.wait() }
    async let first = source.apply(oneDay([1, 2]))
    await gate.hasArrived(1)
    var marked = oneDay([1, 2])
    try marked.reloadItems([2])
    async let older = source.apply([marked][0])
    await source.hasWaiting(1)
    async let newer = source.apply(oneDay([1, 2, 3]))
    await source.hasWaiting(2)
    gate.open()
    #expect(try await (first, older) == (.reloaded, .superseded))
    #expect(try await newer == .updated(2))
    #expect(await surface.calls.count == 2)
    let batch = try #require(await surface.lastBatch)
    #expect(batch.itemUpdates == [ItemPath.Move(from: at(0, 1), to: at(0, 1))])
  }

  @Test("D10: cells are built while the surface's actor is busy")
  @MainActor func awayFromTheSurface() async throws {
    let gate = Gate()
    let surface = IdleSurface()
    let source = DiffableDataSource(surface: surface)
    try await source.apply(slowDay([], behind: gate))
    let change = Task.detached { try await source.apply(slowDay([1], behind: gate)) }
    // The main actor is busy here and never suspends, but the node still arrives at the gate.
    while gate.arrived == 0 {}
    gate.open()
    #expect(try await change.value == .updated(1))
    #expect(surface.nodes == 1)
  }

  @Test("D10: at most the given number of tasks build cells", arguments: [1, 2, 5])
  func width(_ tasks: Int) async throws {
    let load = Load()
    let surface = StrictSurface<Items<BusyArticle>>()
    let source = DiffableDataSource(surface: surface, nodeTasks: tasks)
    try await source.apply(oneSection(of: []))
    let busy = oneSection(of: (0..<200).map { BusyArticle(id: $0, load: load) })
    #expect(try await source.apply(busy) == .updated(200))
    #expect(load.built == 200)
    #expect((1...tasks).contains(load.highest))
  }

  @Test("D10: by default, cells are built only for items that conform to Nodable")
  func plainItems() async throws {
    struct Line: Diffable, Identifiable, Equatable { let id: Int }
    actor Paper: CollectionSurface {
      private(set) var nodes: [Int] = []
      func reloadData(_ snapshot: DiffableSnapshot<Items<Line>>) {}
      func performBatchUpdates(_ batch: BatchUpdates<Items<Line>>, animated: Bool) {
        nodes.append(batch.nodes.count)
      }
    }
    let paper = Paper()
    #expect(paper.nodePolicy == .none && IdleSurface().nodePolicy == .changedRows)
    let source = DiffableDataSource(surface: paper)
    for count in 1...2 {
      try await source.apply(oneSection(of: (0..<count).map { Line(id: $0) }))
    }
    #expect(await paper.nodes == [0])
    let demand = NodeDemand(paths: [ItemPath(section: 0, item: 0)])
    #expect(await source.nodes(for: demand).nodes.isEmpty)
  }
}

/// Counts the cells that are being built at the same time.
private final class Load: Sendable {
  private let count = Atomic(0)
  private let most = Atomic(0)
  private let done = Atomic(0)

  var highest: Int { most.load(ordering: .relaxed) }
  var built: Int { done.load(ordering: .relaxed) }

  func enter() {
    most.max(count.add(1, ordering: .relaxed).newValue, ordering: .relaxed)
  }

  func leave() {
    count.subtract(1, ordering: .relaxed)
    done.add(1, ordering: .relaxed)
  }
}

@MainActor private final class IdleSurface: CollectionSurface {
  private(set) var nodes = 0

  func reloadData(_ snapshot: DiffableSnapshot<SlowDay>) async {}

  func performBatchUpdates(_ batch: BatchUpdates<SlowDay>, animated: Bool) async {
    nodes = batch.nodes.count
  }
}

private struct BusyArticle: Nodable {
  let id: Int
  let load: Load

  var diffIdentifier: Int { id }

  func nodeBlock(with channel: NodeEventChannel, at path: ItemPath) -> NodeBlock {
    {
      load.enter()
      await Task.yield()
      load.leave()
      return TitleNode(title: "", path: path)
    }
  }

  static func == (lhs: Self, rhs: Self) -> Bool { lhs.id == rhs.id }
}
