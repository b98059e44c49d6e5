import AsyncKnot
import AsyncKnotTesting
import Testing

@Suite struct LifetimeTests {
  @Test("S13, K5: a pipe in the holder's own bag does not keep it alive, and is cancelled with it")
  func pipeInOwnBag() async {
    let source = EventChannel<Int>()
    func probe() async -> (LifetimeProbe, weakBag: () -> TaskBag?) {
      let node = PlainNode()
      let recorder = Recorder(node.states)
      await recorder.wait(for: 1)
      source.subscribe().pipe(to: node, in: node.bag) { $1.count = $0 }
      source.send(4)
      await recorder.wait { $0.last?.count == 4 }
      #expect(!node.bag.isEmpty)
      return (LifetimeProbe(node), { [weak bag = node.bag] in bag })
    }
    let (probe, bag) = await probe()
    await probe.expectReleased()
    #expect(bag() == nil)
  }

  @Test("S13: a pipe in another bag ends at the first event after the holder has gone")
  func pipeInAnotherBag() async {
    let source = EventChannel<Int>()
    let bag = TaskBag()
    func probe() -> LifetimeProbe {
      let node = PlainNode()
      source.subscribe().pipe(to: node, in: bag) { $1.count = $0 }
      return LifetimeProbe(node)
    }
    await probe().expectReleased()
    source.send(1)
    // The task leaves the bag as the last thing it does; what it captured dies with it.
    while !bag.isEmpty || source.subscriberCount > 0 { await Task.yield() }
  }

  @Test("S13: operators do not keep the holder alive, and go on with its last state")
  func operatorsDoNotKeepTheHolder() async {
    typealias Pairs = SampledSequence<Elements<Int>, OuterState, (Int, OuterState)>
    func events() async -> (LifetimeProbe, Pairs) {
      let node = PlainNode()
      await node.sink(.init(count: 9))
      return (LifetimeProbe(node), Elements(elements: [1]).withState(from: node))
    }
    let (probe, events) = await events()
    await probe.expectReleased()
    #expect(await events.collect().map(\.1.count) == [9])
  }

  @Test("S14: an error of a pipe in a bag is told, and the state keeps its last value")
  func errorInABag() async {
    let node = PlainNode()
    let errors = EventChannel<Broken>()
    var told = errors.subscribe().makeAsyncIterator()
    Breaking(elements: [1, 2]).pipe(to: node, in: node.bag) { event, state in
      state.count = event
    } onError: { error in
      errors.send(error)
    }
    #expect(await told.next() == Broken(code: 42))
    #expect(node.state.count == 2)
  }

  @Test("S12, S13: a layout that is due does not keep the holder alive")
  func layoutDoesNotKeepTheHolder() async {
    func probe() async -> LifetimeProbe {
      let node = Node()
      await node.count([1, 2, 3])
      return LifetimeProbe(node)
    }
    await probe().expectReleased()
  }
}
