@Suite struct StateSequenceTests {
  @Test(
    "K1, K3, K6, S4: the current state can be read at once, and is an observer's first state")
  func replaysTheCurrentState() async {
    let node = Node()
    #expect(node.state == Node.State.defaultState())
    await node.sink(.init(title: "a", count: 3))
    #expect(node.state.title == "a")
    var iterator = node.states.makeAsyncIterator()
    #expect(await iterator.next() == .init(title: "a", count: 3))
  }

  @Test("S9: if a state is ready, next() neither leaves the caller's isolation nor suspends")
  func staysOnTheIsolation() async {
    actor Reader {
      nonisolated let executor = CountingExecutor()
      nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

      func jobsWhileReading(_ node: PlainNode) async -> Int {
        let before = executor.jobs
        var iterator = node.states.makeAsyncIterator()
        var buffered = node.states(buffering: .unbounded).makeAsyncIterator()
        #expect(await iterator.next()?.count == 0)
        #expect(await buffered.next()?.count == 0)
        var events = Elements(elements: Array(1...10))
          .filter(with: node) { event, state in event > state.count }
          .withState(from: node)
          .state(from: node)
          .makeAsyncIterator()
        while let state = await events.next() { #expect(state.count == 0) }
        return executor.jobs - before
      }
    }
    #expect(await Reader().jobsWhileReading(PlainNode()) == 0)
  }

  @Test("S6: values(of:) never delivers two equal values in a row, regardless of other changes")
  func valuesOfAKeyPath() async {
    await exploreContract(seeds: 500, allowing: [.noChoice]) {
      let node = Node()
      let reader = Task {
        var titles: [String] = []
        for await title in node.values(of: \.title) {
          titles.append(title)
          if title == "b" { break }
        }
        return titles
      }
      await Task.yield()
      for (count, title) in ["-", "a", "a", "b"].enumerated() {
        await node.sink(.init(title: title, count: count + 1))
        await Task.yield()
      }
      let titles = await reader.value
      try hold(zip(titles, titles.dropFirst()).allSatisfy { $0 != $1 }, "repeats: \(titles)")
      sometimes("all titles are seen", titles == ["-", "a", "b"])
    }
  }

  @Test(
    "K7, S4: reduce and pipe(to:) write to a holder that is not a node, and an observer gets the state"
  )
  func plainHolders() async {
    let session = Session()
    #expect(session.state == 7)
    await session.reduce { $0 += 1 }
    await Elements(elements: [1, 2]).pipe(to: session) { event, state in state += event }
    #expect(session.state == 11)
    await Elements(elements: [20]).pipe(to: session)
    var iterator = session.states.makeAsyncIterator()
    #expect(await iterator.next() == 20)
    #expect(session.knot.bag.isEmpty)
  }

  @Test("S13: a wait for an observer ends when the holder is released", .timeLimit(.minutes(30)))
  func demandOfReleased() async throws {
    var session: Session? = Session()
    let demand = try #require(session?.knot.demand)
    async let isObserved = demand.next()
    await waitWhile(!demand.isAwaited)
    session = nil
    #expect(await !isObserved)
  }
}
