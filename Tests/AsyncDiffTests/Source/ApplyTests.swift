@Suite struct ApplyTests {
  @Test(
    "A13, D8: the first snapshot reloads the surface, the next one updates it, and an equal one does not call it"
  )
  func outcomes() async throws {
    let (surface, source) = strictSource()
    #expect(source.snapshot == Days())
    #expect(try await source.apply(oneDay([1, 2])) == .reloaded)
    #expect(try await source.apply(oneDay([2, 3])) == .updated(2))
    #expect(try await source.apply(oneDay([2, 3])) == .unchanged)
    #expect(await surface.calls.count == 2)
    #expect(await surface.rows?.matches(source.snapshot) == true)
    #expect(source.snapshot == oneDay([2, 3]))
  }

  @Test("D8: an empty first snapshot causes a reload")
  func emptyFirst() async throws {
    let surface = StrictSurface<Day>()
    let source = DiffableDataSource(surface: surface)
    #expect(try await source.apply(Days()) == .reloaded)
    #expect(try await source.apply(Days()) == .unchanged)
  }

  @Test("D7: more changes than the threshold cause a reload")
  func threshold() async throws {
    let (surface, source) = strictSource(reloadThreshold: 3)
    try await source.apply(oneDay([]))
    #expect(try await source.apply(oneDay([1, 2, 3])) == .updated(3))
    #expect(try await source.apply(oneDay([4])) == .reloaded)
    #expect(await surface.rows?.matches(oneDay([4])) == true)
  }

  @Test("D7, D16: a row that moves and changes counts once toward the reload threshold")
  func thresholdOfMovedUpdate() async throws {
    let (surface, source) = strictSource(reloadThreshold: 1)
    try await source.apply(Days(sections: [Day("a", [Article(1), Article(2)])]))
    let next = Days(sections: [Day("a", [Article(2), Article(1, "new")])])
    #expect(try await source.apply(next) == .updated(2))
    #expect(await surface.rows?.matches(next) == true)
  }

  @Test("A14: animatingDifferences reaches the surface", arguments: [true, false])
  func animated(_ isAnimated: Bool) async throws {
    let (surface, source) = try await strictSource(showing: oneDay([1]))
    try await source.apply(oneDay([2]), animatingDifferences: isAnimated)
    guard case .batch(_, let animated)? = await surface.calls.last else {
      Issue.record("the surface got no batch")
      return
    }
    #expect(animated == isAnimated)
  }

  @Test("D8: a main-actor surface is called on the main actor")
  @MainActor func mainActorSurface() async throws {
    let surface = MainSurface()
    let source = DiffableDataSource(surface: surface)
    try await source.apply(oneDay([1, 2]))
    let outcomes = try await withThrowingTaskGroup(of: ApplyOutcome.self) { group in
      for id in 3..<20 { group.addTask { try await source.apply(oneDay([1, id])) } }
      var outcomes: [ApplyOutcome] = []
      while let outcome = try await group.next() { outcomes.append(outcome) }
      return outcomes
    }
    #expect(outcomes.filter { $0 != .superseded }.count == surface.batches)
    #expect(surface.rows?.matches(source.snapshot) == true)
  }

  @Test("D8: `snapshots` delivers the shown snapshot first, and then the newest one")
  func states() async throws {
    let surface = StrictSurface<Day>()
    let source = DiffableDataSource(surface: surface)
    let recorder = Recorder(source.snapshots.map(\.ids))
    await recorder.wait(for: 1)
    try await source.apply(oneDay([1]))
    await recorder.wait { $0.last == [[1]] }
    #expect(recorder.elements.first == [])
  }

  @Test("S13: the surface is held weakly, and nothing is shown after its release")
  func surfaceGone() async throws {
    var surface: StrictSurface<Day>? = StrictSurface<Day>()
    let source = DiffableDataSource(surface: try #require(surface))
    try await source.apply(oneDay([1]))
    let probe = LifetimeProbe(try #require(surface))
    surface = nil
    await probe.expectReleased()
    #expect(try await source.apply(oneDay([2])) == .surfaceGone)
    #expect(source.snapshot == oneDay([1]))
  }

  @Test("S8: releasing a data source ends its sequences")
  func sourceGone() async throws {
    let surface = StrictSurface<Day>()
    var source: DiffableDataSource<Day>? = DiffableDataSource(surface: surface)
    try await source?.apply(oneDay([1]))
    try await source?.apply(oneDay([2]))
    let states = Recorder(try #require(source).snapshots)
    let events = Recorder(try #require(source).events(of: Article.self))
    let channel = try #require(source).channel
    let probe = LifetimeProbe(try #require(source))
    source = nil
    await probe.expectReleased()
    await states.waitForEnd()
    await events.waitForEnd()
    channel.send(.didSelect, from: Article(1), at: at(0, 0))
  }
}

@MainActor private final class MainSurface: CollectionSurface {
  var rows: StrictRows<Day>?
  var batches = 0

  func reloadData(_ snapshot: Days) async {
    MainActor.assertIsolated()
    rows = StrictRows(snapshot)
  }

  func performBatchUpdates(_ batch: BatchUpdates<Day>, animated: Bool) async {
    MainActor.assertIsolated()
    batches += 1
    do { try rows?.perform(batch) } catch { Issue.record(error) }
  }
}
