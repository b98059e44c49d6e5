@Suite struct BufferingTests {
  typealias Policy = AsyncStream<Node.State>.Continuation.BufferingPolicy

  @Test(
    "S7, S3: an observer buffers what its policy allows, and the last state always arrives",
    arguments: [
      (.unbounded, [0, 1, 2, 3]), (.bufferingNewest(2), [2, 3]),
      (.bufferingNewest(9), [0, 1, 2, 3]), (.bufferingOldest(2), [0, 1, 3]),
      (.bufferingOldest(4), [0, 1, 2, 3]),
    ] as [(Policy, [Int])])
  func keeps(policy: Policy, kept: [Int]) async {
    func observer() async -> StateSequence<Node.State>.AsyncIterator {
      let node = Node()
      let iterator = node.states(buffering: policy).makeAsyncIterator()
      await node.count([1, 2, 3])
      return iterator
    }
    var iterator = await observer()
    var counts: [Int] = []
    while let state = await iterator.next() { counts.append(state.count) }
    #expect(counts == kept)
  }

  @Test("S7: a .bufferingOldest buffer reuses free space")
  func oldestReusesSpace() async {
    let node = Node()
    var iterator = node.states(buffering: .bufferingOldest(1)).makeAsyncIterator()
    await node.count([1, 2])
    #expect(await iterator.next()?.count == 0)
    #expect(await iterator.next()?.count == 2)
    await node.count([3])
    #expect(await iterator.next()?.count == 3)
  }

  @Test("S7: a slow observer without a buffer keeps one state, even if several are accepted")
  func stalledObserver() async {
    final class Tracked: Sendable {}
    actor Tracker: StateActor {
      let knot = Knot(Tracked())
      weak var second: Tracked?
      func sinkTwo() {
        let tracked = Tracked()
        second = tracked
        reduce { $0 = tracked }
        reduce { $0 = Tracked() }
      }
    }
    let tracker = Tracker()
    var iterator = tracker.states.makeAsyncIterator()
    _ = await iterator.next()
    await tracker.sinkTwo()
    #expect(await tracker.second == nil)
    _ = await iterator.next()
  }

  @Test(
    "A stateStream begins with the current state, buffers from its creation, and ends with its holder"
  )
  func stateStream() async {
    func stream() async -> AsyncStream<Node.State> {
      let node = Node()
      let stream = node.stateStream(buffering: .unbounded)
      await node.count([1, 2])
      return stream
    }
    #expect(await stream().collect().map(\.count) == [0, 1, 2])
    let node = Node()
    for await state in node.stateStream() {
      #expect(state.count == 0)
      break
    }
    #expect(node.knot.observerCount == 0)
  }

  @Test("S6: waiting with two copies of one iterator at the same time traps with a message")
  func copiedIterator() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let node = PlainNode()
      var iterator = node.states.makeAsyncIterator()
      _ = await iterator.next()
      for _ in 0..<2 {
        nonisolated(unsafe) var copy = iterator
        Task.detached { _ = await copy.next() }
      }
      await waitWhile(node.knot.observerCount < 2)
      for _ in 0..<10_000 { await Task.yield() }
    }
    #expect(result.says("next(): two copies of one iterator wait at the same time"))
  }

  @Test(
    "Requesting states without buffer space traps with a message that names the call and the value"
  )
  func noRoom() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = Session().states(buffering: .bufferingNewest(0))
    }
    #expect(
      result.says("states(buffering:): needs room for at least 1 state; got 0"))
    let stream = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = Session().stateStream(buffering: .bufferingOldest(-1))
    }
    #expect(stream.says("stateStream(buffering:): needs room for at least 1 state; got -1"))
  }
}
