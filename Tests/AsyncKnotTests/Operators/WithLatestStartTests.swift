@Suite struct WithLatestStartTests {
  @Test("K14: an element that is ready in the other sequence is paired with the first event")
  func firstEvent() async {
    await exploreContract(seeds: 2_000) {
      let node = PlainNode()
      let taps = EventChannel<Int>()
      let subscription = taps.subscribe()
      Task {
        for tap in 0..<3 { taps.send(tap) }
        taps.finish()
      }
      let pairs = await subscription.withLatest(from: node.states).collect()
      try hold(pairs.map(\.0) == [0, 1, 2], "events lost: only \(pairs.map(\.0)) arrived")
    }
  }

  @Test("K14: the first event is not lost on real threads")
  func firstEventOnThreads() async throws {
    let node = PlainNode()
    for _ in 0..<3_000 {
      let pairs = await Elements(elements: [1]).withLatest(from: node.states).collect()
      try #require(pairs.count == 1, "the first event was lost")
    }
  }

  @Test("F1: if the other sequence is always ready, the iterator can still be created")
  func alwaysReady() async {
    let other = Ready()
    // If `makeAsyncIterator` read `other` until no element is ready, it would never return.
    var pairs = Elements(elements: [1]).withLatest(from: other).makeAsyncIterator()
    let pair = await pairs.next(isolation: nil)
    #expect(pair?.0 == 1)
    #expect(other.progress.taken.load(ordering: .relaxed) >= 1)
  }
}
