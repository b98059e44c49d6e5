import AsyncKnot
import AsyncKnotTesting
import TestSupport
import Testing

@Suite struct OperatorTests {
  @Test("K9: pipe(to:) makes each element the state")
  func pipeStates() async {
    let node = Node()
    await Elements(elements: [Node.State(count: 1), Node.State(count: 2)]).pipe(to: node)
    #expect(node.state.count == 2)
    #expect(await node.updates.map(\.count) == [1, 2])
  }

  @Test("S14: pipe throws a typed error unchanged, and the state keeps its last value")
  func pipeThrowsTypedErrors() async {
    let node = PlainNode()
    do throws(Broken) {
      try await Breaking(elements: [1, 2, 3]).pipe(to: node) { $1.count += $0 }
      Issue.record("pipe returned")
    } catch {
      #expect(error.code == 42)
    }
    #expect(node.state.count == 6)
    await Elements(elements: [1]).pipe(to: node) { $1.count += $0 }
    #expect(node.state.count == 7)
  }

  @Test("K11: filter(with:) keeps the events for which the predicate on (event, state) is true")
  func filterWith() async {
    let node = PlainNode()
    await Elements(elements: Array(1...10))
      .filter(with: node) { event, state in event.isMultiple(of: 2) && state.count < 12 }
      .pipe(to: node) { event, state in state.count += event }
    #expect(node.state.count == 12)
  }

  @Test("K12: withState(from:) delivers (event, state) for a holder or a knot")
  func withState() async {
    let session = Session()
    for pairs in [
      await Elements(elements: ["a", "b"]).withState(from: session).collect(),
      await Elements(elements: ["a", "b"]).withState(from: session.knot).collect(),
    ] {
      #expect(pairs.map(\.0) == ["a", "b"])
      #expect(pairs.map(\.1) == [7, 7])
    }
  }

  @Test("K13, S23: state(from:) replaces each event with the current state, even a derived one")
  func stateFrom() async {
    let node = PlainNode()
    let events = Elements(elements: [(), (), ()])
    var states = events.state(from: node).makeAsyncIterator()
    var doubles = events.state(from: Derived(from: node) { 2 * $0.count }).makeAsyncIterator()
    for count in 0..<3 {
      #expect(await states.next()?.count == count)
      #expect(await doubles.next() == 2 * count)
      await node.reduce { $0.count += 1 }
    }
    #expect(await states.next() == nil)
  }

  @Test("S14: operators rethrow the typed error")
  func operatorsThrowTypedErrors() async {
    let session = Session()
    do throws(Broken) {
      for try await _ in Breaking(elements: [1])
        .filter(with: session, { _, _ in true })
        .withState(from: session)
        .state(from: session)
      {}
      Issue.record("the sequence ended")
    } catch {
      #expect(error.code == 42)
    }
  }

  @Test(
    "K14: withLatest skips events until the other sequence has an element, and then pairs them with the newest"
  )
  func withLatest() async {
    await explore(seeds: 100, allowing: [.noChoice]) {
      let other = EventChannel<String>()
      let events = EventChannel<Int>()
      let recorder = Recorder(events.subscribe().withLatest(from: other.subscribe()))
      await untilIdle()
      events.send(0)
      await untilIdle()
      other.send("a")
      await untilIdle()
      events.send(1)
      events.send(2)
      await recorder.wait(for: 2)
      other.send("b")
      other.finish()
      await untilIdle()
      events.send(3)
      events.finish()
      let pairs = await recorder.waitForEnd()
      #expect(pairs.map(\.0) == [1, 2, 3])
      #expect(pairs.map(\.1) == ["a", "a", "b"])
    }
  }

  @Test(
    "K14: withLatest ends if the other sequence ends without an element, and leaves no observer when dropped"
  )
  func withLatestEnds() async {
    let events = Elements(elements: [1, 2, 3])
    #expect(await events.withLatest(from: Elements<Int>(elements: [])).collect().isEmpty)
    let node = PlainNode()
    for await _ in events.withLatest(from: node.states) { break }
    await waitWhile(node.knot.observerCount > 0)
  }

  @Test(
    "K14: after the other sequence has ended without an element, the next event ends withLatest")
  func withLatestEndsEarly() async {
    await exploreContract(seeds: 100, allowing: [.noChoice]) {
      let events = EventChannel<Int>()
      var pairs = events.subscribe().withLatest(from: Elements<Int>(elements: []))
        .makeAsyncIterator()
      await untilIdle()
      events.send(1)
      let pair = await pairs.next()
      try hold(pair == nil, "got \(pair.map { "\($0)" } ?? "")")
      events.finish()
    }
  }

  @Test("S21: an operator whose own closure cancels the task delivers nothing more")
  func cancelledByItsClosure() async {
    let node = PlainNode()
    let filtered = Task {
      await Elements(elements: [1, 2]).filter(with: node) { _, _ in OuterState().cancelling == 1 }
        .collect()
    }
    #expect(await filtered.value.isEmpty)
    let values = Task {
      var count = 0
      for await _ in node.values(of: \.cancelling) { count += 1 }
      return count
    }
    #expect(await values.value == 0)
  }

  @Test("K18: an observer gets the default state, then the state that each pipe writes, in order")
  func spec() async {
    let node = Node()
    var observed = node.states(buffering: .unbounded).makeAsyncIterator()
    #expect(await observed.next()?.title == "-")
    for title in ["one", "two", "three"] {
      await Elements(elements: [title]).pipe(to: node) { $1.title = $0 }
      #expect(await observed.next()?.title == title)
    }
    #expect(await node.updates.map(\.title) == ["one", "two", "three"])
  }
}

extension OuterState {
  /// Cancels the task that reads this property.
  fileprivate var cancelling: Int {
    withUnsafeCurrentTask { $0?.cancel() }
    return 1
  }
}
