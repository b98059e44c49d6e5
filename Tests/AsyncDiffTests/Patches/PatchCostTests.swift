/// Counts the item comparisons that followers cost a source.
@Suite struct PatchCostTests {
  private typealias Counted = DiffableSnapshot<Items<CountedRow>>
  private typealias Message = SnapshotMessage<Items<CountedRow>>
  private let surface = StrictSurface<Items<CountedRow>> { _ in }

  /// `count` rows, of which the first has the content `change`.
  private func rows(_ count: Int, _ change: Int, _ meter: Meter) -> Counted {
    oneSection(of: (0..<count).map { CountedRow($0, $0 == 0 ? change : 0, meter) })
  }

  @Test(
    "D21: an observer that stalls for 10,000 changes costs the source nothing and gets one patch"
  )
  func stalled() async throws {
    let meter = Meter()
    func snapshot(_ change: Int) -> Counted { rows(4, change, meter) }
    /// Returns the cost of 10,000 changes, and the observer's next message.
    func run(isFollowed: Bool) async throws -> (cost: Int, message: Message?) {
      let source = DiffableDataSource(surface: surface)
      try await source.apply(snapshot(0))
      var messages = source.patches().makeAsyncIterator()
      if isFollowed { _ = await messages.next() }
      let before = meter.count
      for change in 1...10_000 { try await source.apply(snapshot(change)) }
      let cost = meter.count - before
      return (cost, isFollowed ? await messages.next() : nil)
    }
    let alone = try await run(isFollowed: false)
    let followed = try await run(isFollowed: true)
    #expect(alone.cost == followed.cost)
    let patch = try #require(followed.message?.patch)
    #expect(patch.number == patch.from.number + 10_000)
    #expect(patch.stages.count == 1 && patch.stages.first?.itemUpdates.count == 1)
    #expect(patch.stages.first?.itemUpdates.first?.value.content == 10_000)
  }

  @Test("D21: observers that ask for the same patch share the comparison")
  func shared() async throws {
    let meter = Meter()
    func snapshot(_ change: Int) -> Counted { rows(100, change, meter) }
    let source = DiffableDataSource(surface: surface)
    try await source.apply(snapshot(0))
    /// The cost of the next patch for a number of observers.
    func cost(of observers: Int, _ change: Int) async throws -> Int {
      var all: [SnapshotPatches<Items<CountedRow>>.AsyncIterator] = []
      for _ in 0..<observers {
        var messages = source.patches().makeAsyncIterator()
        _ = await messages.next()
        all.append(messages)
      }
      try await source.apply(snapshot(change))
      let before = meter.count
      for observer in all.indices { _ = await all[observer].next() }
      return meter.count - before
    }
    let one = try await cost(of: 1, 1)
    #expect(one > 0)
    #expect(try await cost(of: 50, 2) == one)
  }

  @Test("D21: between two calls to next, nothing is computed for an observer")
  func idle() async throws {
    let meter = Meter()
    let source = DiffableDataSource(surface: surface)
    try await source.apply(oneSection(of: [CountedRow(1, 1, meter)]))
    var messages = source.patches().makeAsyncIterator()
    _ = await messages.next()
    try await source.apply(oneSection(of: [CountedRow(1, 2, meter), CountedRow(2, 2, meter)]))
    let before = meter.count
    await yieldToOthers()
    #expect(meter.count == before)
    _ = await messages.next()
    #expect(meter.count > before)
  }
}

/// Counts comparisons.
private final class Meter: Sendable {
  private let comparisons = Atomic(0)

  var count: Int { comparisons.load(ordering: .relaxed) }

  func add() { comparisons.add(1, ordering: .relaxed) }
}

private struct CountedRow: Nodable {
  let diffIdentifier: Int
  let content: Int
  let meter: Meter

  init(_ id: Int, _ content: Int, _ meter: Meter) {
    diffIdentifier = id
    self.content = content
    self.meter = meter
  }

  static func == (left: Self, right: Self) -> Bool {
    left.meter.add()
    return left.diffIdentifier == right.diffIdentifier && left.content == right.content
  }

  func nodeBlock(with channel: NodeEventChannel, at path: ItemPath) -> NodeBlock {
    { TitleNode(title: "\(content)", path: path) }
  }
}
