import AsyncKnot
import TestSupport
import Testing

@Suite struct BufferingTests {
  private func counts(
    _ policy: AsyncStream<Node.State>.Continuation.BufferingPolicy, after accepted: [Int]
  ) async -> [Int] {
    func sequence() async -> StateSequence<Node.State>.AsyncIterator {
      let node = Node()
      let iterator = node.states(buffering: policy).makeAsyncIterator()
      await node.count(accepted)
      return iterator
    }
    var iterator = await sequence()
    var counts: [Int] = []
    while let state = await iterator.next() { counts.append(state.count) }
    return counts
  }

  @Test("S7: .unbounded keeps every state from the making of the iterator on")
  func unbounded() async {
    #expect(await counts(.unbounded, after: [1, 2, 3]) == [0, 1, 2, 3])
  }

  @Test("S7: .bufferingNewest keeps the newest states")
  func newest() async {
    #expect(await counts(.bufferingNewest(2), after: [1, 2, 3]) == [2, 3])
    #expect(await counts(.bufferingNewest(9), after: [1, 2, 3]) == [0, 1, 2, 3])
  }

  @Test("S7, S3: .bufferingOldest keeps the oldest states, and the last one arrives all the same")
  func oldest() async {
    #expect(await counts(.bufferingOldest(2), after: [1, 2, 3]) == [0, 1, 3])
    #expect(await counts(.bufferingOldest(4), after: [1, 2, 3]) == [0, 1, 2, 3])
  }

  @Test("S7: room in a .bufferingOldest buffer is used again")
  func oldestGoesOn() async {
    let node = Node()
    var iterator = node.states(buffering: .bufferingOldest(1)).makeAsyncIterator()
    await node.count([1, 2])
    #expect(await iterator.next()?.count == 0)
    #expect(await iterator.next()?.count == 2)
    await node.count([3])
    #expect(await iterator.next()?.count == 3)
  }

  @Test("S7: a stalled conflating observer costs one state, however many are accepted")
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

  @Test("stateStream begins with the current state, buffers from the call on, and ends")
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

  @Test("A buffer without room is a programmer error that names the call and the value")
  func noRoom() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = Session().states(buffering: .bufferingNewest(0))
    }
    #expect(
      result.says("states(buffering:): needs room for one state; got 0"))
  }
}
