import AsyncKnot
import AsyncKnotTesting
import TestSupport
import Testing

/// A predicate that nothing passes.
private let nothing: @Sendable (Int, OuterState) -> Bool = { _, _ in false }

/// F1 is counted while explored: a loop over what is always ready is cut into so many jobs.
@Suite struct FairnessTests {
  /// Checks that a loop over many elements takes one more job at least for every 32 of them.
  private func givesWay(
    sourceLocation: SourceLocation = #_sourceLocation,
    _ loop: @escaping @Sendable (_ count: Int) async -> Void
  ) async {
    func jobs(_ count: Int) async -> Int {
      await Exploration(seeds: 1).run(seed: 0) { await loop(count) }.trace.jobs
    }
    let (few, many) = (await jobs(8), await jobs(1_008))
    #expect(many - few >= 1_000 / 32, "\(few) and \(many) jobs", sourceLocation: sourceLocation)
  }

  @Test("F1: a pipe over events that are always ready gives way")
  func pipe() async {
    await givesWay { count in
      await Elements(elements: Array(0..<count)).pipe(to: PlainNode()) { $1.count = $0 }
    }
  }

  @Test("F1: a pipe to a node with hooks gives way")
  func pipeToNode() async {
    await givesWay { count in
      await Elements(elements: Array(0..<count)).pipe(to: Node()) { $1.count = $0 }
    }
  }

  @Test("F1: a pipe in a bag to a view gives way on the main actor")
  func pipeToView() async {
    await givesWay { count in
      let (view, bag) = (View(), TaskBag())
      Elements(elements: Array(0..<count)).pipe(to: view, in: bag) { $1.count = $0 }
      await bag.wait()
    }
  }

  @Test("F1: a loop over the backlog of a channel gives way")
  func backlog() async {
    await givesWay { count in
      let channel = EventChannel<Int>()
      let backlog = channel.subscribe()
      for event in 0..<count { channel.send(event) }
      channel.finish()
      for await _ in backlog {}
    }
  }

  @Test("F1: a loop over states that were buffered gives way")
  func bufferedStates() async {
    await givesWay { count in
      let node = PlainNode()
      var states = node.states(buffering: .unbounded).makeAsyncIterator()
      await node.count(upTo: count)
      for _ in 0..<count { _ = await states.next() }
    }
  }

  @Test("F1: a loop that finds a newer state each time gives way")
  func newestStates() async {
    await givesWay { count in await PlainNode().readEachOfItsStates(count) }
  }

  @Test("F1: a filter that drops everything gives way")
  func filter() async {
    await givesWay { count in
      for await _ in Elements(elements: Array(0..<count)).filter(with: PlainNode(), nothing) {}
    }
  }

  @Test("F1: where elements turn slow after many quick ones, a slice ends after two of them")
  func slowElements() {
    var slice = Slice()
    for _ in 0..<20_000 { _ = slice.isOver() }
    for _ in 0..<5 {
      var elements = 0
      repeat {
        let end = ContinuousClock.now + .milliseconds(25)
        while ContinuousClock.now < end {}
        elements += 1
      } while !slice.isOver()
      #expect(elements <= 2)
    }
  }

  @Test("S4, S9: within a slice a loop does not suspend")
  func withinASlice() async {
    let executor = CountingExecutor()
    let counted = Counted(on: executor)
    let channel = EventChannel<Int>()
    let events = channel.subscribe()
    for event in 0..<3 { channel.send(event) }
    #expect(await counted.jobsWhileTaking(3, of: events) == 0)
  }
}

extension PlainNode {
  fileprivate func count(upTo last: Int) {
    for count in 0..<last { reduce { $0.count = count } }
  }

  fileprivate func readEachOfItsStates(_ count: Int) async {
    var states = states.makeAsyncIterator()
    for count in 0..<count {
      reduce { $0.count = count }
      _ = await states.next(isolation: self)
    }
  }
}

private actor Counted {
  nonisolated let executor: CountingExecutor
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(on executor: CountingExecutor) { self.executor = executor }

  func jobsWhileTaking(_ count: Int, of events: EventSequence<Int>) async -> Int {
    var iterator = events.makeAsyncIterator()
    let before = executor.jobs
    for _ in 0..<count { _ = await iterator.next(isolation: self) }
    return executor.jobs - before
  }
}
