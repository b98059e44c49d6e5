@Suite struct StateSequenceTests {
  @Test(
    "K1, K3, K6, S4: the state is available immediately on any thread, and observers see it first")
  func replaysTheCurrentState() async {
    let node = Node()
    #expect(node.state == Node.State.defaultState())
    await node.sink(.init(title: "a", count: 3))
    #expect(node.state.title == "a")
    var iterator = node.states.makeAsyncIterator()
    #expect(await iterator.next() == .init(title: "a", count: 3))
  }

  @Test("S2, S3: a slow observer skips to the last state")
  func conflates() async {
    let node = Node()
    var iterator = node.states.makeAsyncIterator()
    #expect(await iterator.next()?.count == 0)
    await node.count(Array(1...1_000))
    #expect(await iterator.next()?.count == 1_000)
  }

  @Test("S6: one sequence can be iterated concurrently, each time by a separate iterator")
  func iteratorsAreIndependent() async {
    let node = PlainNode()
    let states = node.states
    var first = states.makeAsyncIterator()
    #expect(await first.next()?.count == 0)
    await node.sink(.init(count: 1))
    var second = states.makeAsyncIterator()
    #expect(await second.next()?.count == 1)
    #expect(await first.next()?.count == 1)
  }

  @Test(
    "S8: when the holder is released, an observer gets the last state unless it has seen it, then nil"
  )
  func endsWithTheHolder() async {
    func observersOfANodeThatGoes() async -> (
      StateSequence<OuterState>.AsyncIterator, StateSequence<OuterState>.AsyncIterator
    ) {
      let node = PlainNode()
      var upToDate = node.states.makeAsyncIterator()
      var behind = node.states.makeAsyncIterator()
      _ = await behind.next()
      await node.sink(.init(count: 5))
      #expect(await upToDate.next()?.count == 5)
      return (upToDate, behind)
    }
    var (upToDate, behind) = await observersOfANodeThatGoes()
    #expect(await upToDate.next() == nil)
    #expect(await behind.next()?.count == 5)
    #expect(await behind.next() == nil)
    #expect(await behind.next() == nil)
  }

  @Test("S8: cancellation gives nil promptly, even if a state is ready")
  func cancellationGivesNil() async {
    let node = PlainNode()
    let seen = await withTaskGroup { group in
      group.addTask {
        withUnsafeCurrentTask { $0?.cancel() }
        var iterator = node.states.makeAsyncIterator()
        return await iterator.next()
      }
      return await group.next().flatMap(\.self)
    }
    #expect(seen == nil)
    #expect(node.knot.observerCount == 0)
  }

  @Test("S8: break, cancellation and a dropped iterator leave nothing registered")
  func leavesNothingRegistered() async {
    let node = PlainNode()
    for await _ in node.states { break }
    for await _ in node.states(buffering: .unbounded) { break }
    do {
      var dropped = node.states(buffering: .unbounded).makeAsyncIterator()
      _ = await dropped.next()
      #expect(node.knot.observerCount == 1)
    }
    let suspended = Recorder(node.states)
    await suspended.wait(for: 1)
    suspended.cancel()
    _ = await suspended.waitForEnd()
    #expect(node.knot.observerCount == 0)
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

  @Test("S6: values(of:) gives each value of a property once, no matter how often the rest changes")
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
      sometimes("all are seen", titles == ["-", "a", "b"])
    }
  }

  @Test("K7, S6: an observer of a holder that is not a node sees its states")
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
}
