/// F1: a loop yields even if its elements are always ready.
///
/// In an exploration, a loop yields after a number of elements, not after a time. Each yield adds a job that `yields(_:)` counts.
@Suite struct FairnessTests {
  /// Loops over elements that are always ready.
  enum Loop: CaseIterable, Sendable {
    case pipe, pipeToNode, pipeInBagToView, backlog, bufferedStates, newestStates, filter, live,
      withLatest

    func run(_ count: Int) async {
      let (node, events) = (PlainNode(), Elements(elements: Array(0..<count)))
      switch self {
      case .pipe: await events.pipe(to: node) { $1.count = $0 }
      case .pipeToNode: await events.pipe(to: Node()) { $1.count = $0 }
      case .pipeInBagToView:
        let (view, bag) = (View(), TaskBag())
        events.pipe(to: view, in: bag) { $1.count = $0 }
        await bag.wait()
      case .backlog:
        let channel = EventChannel<Int>()
        let backlog = channel.subscribe()
        for event in 0..<count { channel.send(event) }
        channel.finish()
        for await _ in backlog {}
      case .bufferedStates:
        var states = node.states(buffering: .unbounded).makeAsyncIterator()
        await node.count(upTo: count)
        for _ in 0..<count { _ = await states.next() }
      case .newestStates: await node.readEachOfItsStates(count)
      case .filter: for await _ in events.filter(with: node, { _, _ in false }) {}
      case .live:
        let bag = TaskBag()
        events.live(in: bag) { @MainActor _ in }
        await bag.wait()
      case .withLatest:
        let silent = EventChannel<Int>()
        for await _ in events.withLatest(from: silent.subscribe()) {}
        silent.finish()
      }
    }
  }

  @Test(
    "F1: a loop that always finds an element yields at least once every 32 elements",
    arguments: Loop.allCases)
  func yields(_ loop: Loop) async {
    func jobs(_ count: Int) async -> Int {
      await Exploration(seeds: 1).run(seed: 0) { await loop.run(count) }.trace.jobs
    }
    let (few, many) = (await jobs(8), await jobs(1_008))
    #expect(many - few >= 1_000 / 32, "\(few) and \(many) jobs")
  }

  @Test(
    "F1: if elements become slow after many fast ones, a slice ends after at most two slow ones")
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
