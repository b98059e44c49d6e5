@Suite struct StatesOfSourcesTests {
  @Test("S20: the current states come at once, then the newest after each change")
  func pairs() async {
    let (node, session) = (PlainNode(), Session())
    var pairs = states(of: node, session).makeAsyncIterator()
    #expect(await pairs.next().map { "\($0.count) \($1)" } == "0 7")
    await node.reduce { $0.count = 1 }
    await session.reduce { $0 = 8 }
    #expect(await pairs.next().map { "\($0.count) \($1)" } == "1 8")
  }

  @Test("S20: whenever the sources rest, the last pair given is theirs")
  func lastPair() async {
    await exploreContract {
      let (left, right) = (PlainNode(), Session())
      let observer = Task(executorPreference: Exploration.executor) {
        for await (left, right) in states(of: left, right) where left.count == 2 && right == 9 {
          return true
        }
        return false
      }
      await withDiscardingTaskGroup { group in
        for _ in 0..<2 {
          group.addTask { await left.reduce { $0.count += 1 } }
          group.addTask { await right.reduce { $0 += 1 } }
        }
      }
      try hold(await observer.value, "the last pair did not come")
      try hold(
        left.knot.observerCount == 0 && right.knot.observerCount == 0, "places stay taken")
    }
  }

  @Test("S20, S8: it ends when all sources are gone, and a cancelled observer leaves nothing")
  func ends() async {
    await exploreContract(seeds: 2_000) {
      var (left, right): (PlainNode?, Session?) = (PlainNode(), Session())
      guard let pairs = left.flatMap({ left in right.map { states(of: left, $0) } }) else { return }
      let observer = Task(executorPreference: Exploration.executor) {
        await pairs.reduce(into: 0) { count, _ in count += 1 }
      }
      let cancelled = Task(executorPreference: Exploration.executor) {
        for await _ in pairs {}
      }
      cancelled.cancel()
      left = nil
      await right?.reduce { $0 = 3 }
      right = nil
      try hold(await observer.value > 0, "nothing was delivered")
      await cancelled.value
    }
  }
}
