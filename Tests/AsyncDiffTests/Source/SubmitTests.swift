@testable import AsyncDiff

@Suite struct SubmitTests {
  @Test("D23: the last submitted snapshot is shown, regardless of the callers' priorities")
  func order() async throws {
    for _ in 0..<50 {
      let (surface, source) = strictSource()
      await Task.detached(priority: .background) { source.submit(oneDay([1])) }.value
      await Task.detached(priority: .high) { source.submit(oneDay([1, 2])) }.value
      await Task.detached(priority: .background) { source.submit(oneDay([1, 2, 3])) }.value
      for await snapshot in source.snapshots where snapshot == oneDay([1, 2, 3]) { break }
      #expect(try await source.apply(oneDay([1, 2, 3])) == .unchanged)
      #expect(await surface.rows?.matches(oneDay([1, 2, 3])) == true)
    }
  }

  @Test("D23: an apply that follows many submits in didSet shows its snapshot last")
  func didSet() async throws {
    final class Model {
      let source: DiffableDataSource<Day>
      var ids: [Int] = [] { didSet { source.submit(oneDay(ids)) } }
      init(_ source: DiffableDataSource<Day>) { self.source = source }
    }
    let (surface, source) = strictSource()
    let model = Model(source)
    for id in 1...100 { model.ids.append(id) }
    let last = oneDay(Array(1...101))
    _ = try await source.apply(last)
    #expect(source.snapshot == last)
    #expect(await surface.calls.count <= 102)
  }

  @Test(
    "S11, S18: if a reducer submits a snapshot, the cell that is being built is cancelled after the reducer"
  )
  func submitInAReducer() async throws {
    actor Counter: StateActor { let knot = Knot(0) }
    struct Slow: Nodable {
      let id: Int
      let build: @Sendable () async -> Void
      var diffIdentifier: Int { id }
      static func == (lhs: Self, rhs: Self) -> Bool { lhs.id == rhs.id }
      func nodeBlock(with channel: NodeEventChannel, at path: ItemPath) -> NodeBlock {
        {
          await build()
          return TitleNode(title: "", path: path)
        }
      }
    }
    let (counter, seen, gate) = (Counter(), Log<Int?>(), Gate())
    let surface = StrictSurface<Items<Slow>>()
    let source = DiffableDataSource(surface: surface)
    try await source.apply(oneSection(of: []))
    let slow = Slow(id: 1) {
      await withTaskCancellationHandler {
        await gate.wait()
      } onCancel: {
        // Skip the read while a reducer is running, because the read would trap.
        seen.append(Reducer.isRunning ? nil : counter.state)
      }
    }
    source.submit(oneSection(of: [slow]))
    await gate.hasArrived(1)
    await counter.reduce { state in
      state = 1
      source.submit(oneSection(of: []))
    }
    #expect(seen.all == [1])
    gate.open()
  }

  @Test("D15: a submitted snapshot is shown if its replacement is cancelled")
  func shownAfterAll() async throws {
    let gate = Gate()
    let (surface, source) = strictSource { _ in await gate.wait() }
    source.submit(oneDay([1]))
    await gate.hasArrived(1)
    var marked = oneDay([1, 2])
    try marked.reloadItems([1])
    source.submit(marked)
    let newer = Task { try await source.apply(oneDay([9])) }
    await source.hasWaiting(2)
    newer.cancel()
    await #expect(throws: CancellationError.self) { try await newer.value }
    gate.open()
    for await snapshot in source.snapshots where snapshot == oneDay([1, 2]) { break }
    let batch = try #require(await surface.lastBatch)
    #expect(batch.itemUpdates.count == 1 && batch.itemInserts.count == 1, "with its mark")
  }

  @Test("K9: an awaited pipe(to:) shows each snapshot of a sequence before it returns")
  func pipeOfSnapshots() async {
    let (surface, source) = strictSource()
    let days = AsyncStream { continuation in
      for count in 1...3 { continuation.yield(oneDay(Array(0..<count))) }
      continuation.finish()
    }
    await days.pipe(to: source)
    #expect(source.snapshot == oneDay([0, 1, 2]))
    #expect(await surface.calls.count == 3)
  }

  @Test("K9: a pipe of states shows the newest state")
  func pipe() async throws {
    let gate = Gate()
    let (surface, source) = strictSource { _ in await gate.wait() }
    let ids = Knot([0])
    let entry = ids.states.pipe(to: source, in: ids.knot.bag) { oneDay($0) }
    await gate.hasArrived(1)
    for number in 1...100 { ids.write(by: ObjectIdentifier(ids)) { $0 = [number] } }
    gate.open()
    for await snapshot in source.snapshots where snapshot == oneDay([100]) { break }
    #expect(await surface.calls.count < 10)
    entry.cancel()
  }

  @Test("K9: a pipe of snapshots needs no closure")
  func pipeSnapshots() async throws {
    let surface = StrictSurface<Day>()
    let source = DiffableDataSource(surface: surface)
    let days = Knot(oneDay([1]))
    days.states.pipe(to: source, in: days.knot.bag)
    for await snapshot in source.snapshots where snapshot == oneDay([1]) { break }
    #expect(await surface.rows?.matches(oneDay([1])) == true)
  }

  @Test("S13: a pipe does not keep the data source alive and ends with its sequence")
  func pipeLifetime() async throws {
    let surface = StrictSurface<Day>()
    var source: DiffableDataSource<Day>? = DiffableDataSource(surface: surface)
    let ids = Knot([1])
    ids.states.pipe(to: try #require(source), in: ids.knot.bag) { oneDay($0) }
    for await snapshot in try #require(source).snapshots where snapshot == oneDay([1]) { break }
    let probe = LifetimeProbe(try #require(source))
    source = nil
    await probe.expectReleased()

    let (stream, continuation) = AsyncStream.makeStream(of: [Int].self)
    continuation.yield([5])
    continuation.finish()
    let other = DiffableDataSource(surface: surface)
    await stream.pipe(to: other) { oneDay($0) }
    #expect(other.snapshot == oneDay([5]))
  }

  @Test("S13, S16: a pipe ends when the data source is released, without waiting for an element")
  func pipeEnds() async {
    await exploreContract(seeds: 500) {
      let (ids, bag, surface) = (EventChannel<[Int]>(), TaskBag(), StrictSurface<Day>())
      do {
        let source = DiffableDataSource(surface: surface)
        ids.subscribe().pipe(to: source, in: bag) { oneDay($0) }
        await Task.yield()
      }
      await bag.wait()
      try hold(await surface.calls.isEmpty, "the surface was called")
    }
  }

  @Test(
    "S13: if a pipe's data source is released, the next pipe on the subscription loses nothing")
  func pipeLosesNothing() async {
    await exploreContract(seeds: 500) {
      let (ids, bag, surface) = (EventChannel<[Int]>(), TaskBag(), StrictSurface<Day>())
      let (shared, other) = (ids.subscribe(), DiffableDataSource(surface: surface))
      var gone: DiffableDataSource<Day>? = DiffableDataSource(surface: surface)
      if let gone { shared.pipe(to: gone, in: bag) { oneDay($0) } }
      await Task.yield()
      gone = nil
      ids.send([1])
      shared.pipe(to: other, in: bag) { oneDay($0) }
      ids.finish()
      await bag.wait()
      try hold(other.snapshot == oneDay([1]), "the element was lost")
    }
  }

  @Test("E1, S13: other iterators can get the elements that a cancelled pipe did not take")
  func cancelledPipesLoseNothing() async {
    for isInBag in [false, true] {
      await exploreContract(seeds: 1_000) {
        let (ids, bag, surface) = (EventChannel<[Int]>(), TaskBag(), StrictSurface<Day>())
        let (shared, source) = (ids.subscribe(), DiffableDataSource(surface: surface))
        if isInBag {
          shared.pipe(to: source, in: bag) { oneDay($0) }
        } else {
          bag.add { await shared.pipe(to: source) { oneDay($0) } }
        }
        ids.send([1])
        await Task.yield()
        await bag.cancelAndWait()
        ids.finish()
        var left = 0
        for await _ in shared { left += 1 }
        let shown = source.snapshot == oneDay([1]) ? 1 : 0
        // An element that the pipe took before its cancellation is not put back.
        try hold(left + shown <= 1, "shown \(shown) times, left \(left) times")
        sometimes("the element was not taken", left == 1)
      }
    }
  }

  @Test("S18: the models of a superseded snapshot are released outside the queue's lock")
  func diesOutsideTheLock() async {
    let (gate, isFree) = (Gate(), Log<Bool>())
    let surface = StrictSurface<Items<LeavingRow>> { _ in await gate.wait() }
    let source = DiffableDataSource(surface: surface)
    func snapshot(_ id: Int) -> DiffableSnapshot<Items<LeavingRow>> {
      let farewell = Farewell { [weak source] in
        isFree.append(source?.queue.withLockIfAvailable { _ in true } ?? false)
      }
      return oneSection(of: [LeavingRow(id, farewell)])
    }
    source.submit(snapshot(1))
    await gate.hasArrived(1)
    for id in 2...4 { source.submit(snapshot(id)) }
    #expect(isFree.all == [true, true], "the queue keeps only the marks of these snapshots")
    gate.open()
    for await shown in source.snapshots where shown.path(ofItem: 4) != nil { break }
    #expect(!isFree.all.contains(false))
  }

  @Test("S18: the deinit of a replaced model can read the shown snapshot")
  func readsWhenItDies() async throws {
    let seen = Log<Int>()
    let surface = ForgetfulSurface()
    let source = DiffableDataSource(surface: surface, reloadThreshold: 0)
    func snapshot(_ id: Int) -> DiffableSnapshot<Items<LeavingRow>> {
      let farewell = Farewell { [weak source] in
        if let source { seen.append(source.snapshot.items(in: 0)[0].diffIdentifier) }
      }
      return oneSection(of: [LeavingRow(id, farewell)])
    }
    for id in 1...3 { #expect(try await source.apply(snapshot(id)) == .reloaded) }
    #expect(seen.all == [2, 3])
  }
}

/// A row that calls a closure when it is released.
private struct LeavingRow: Nodable {
  let diffIdentifier: Int
  private let farewell: Farewell

  init(_ id: Int, _ farewell: Farewell) {
    diffIdentifier = id
    self.farewell = farewell
  }

  static func == (lhs: Self, rhs: Self) -> Bool { lhs.diffIdentifier == rhs.diffIdentifier }

  func nodeBlock(with channel: NodeEventChannel, at path: ItemPath) -> NodeBlock {
    { TitleNode(title: "", path: path) }
  }
}

/// A surface that keeps no snapshot.
private actor ForgetfulSurface: CollectionSurface {
  func reloadData(_ snapshot: DiffableSnapshot<Items<LeavingRow>>) {}
  func performBatchUpdates(_ batch: BatchUpdates<Items<LeavingRow>>, animated: Bool) {}
}
