@Suite struct StatesOfSourcesTests {
  @Test(
    "S20: states(of:) delivers the current states immediately, then the newest states after changes"
  )
  func pairs() async {
    let (node, session) = (PlainNode(), Session())
    var pairs = states(of: node, session).makeAsyncIterator()
    #expect(await pairs.next().map { "\($0.count) \($1)" } == "0 7")
    await node.reduce { $0.count = 1 }
    await session.reduce { $0 = 8 }
    #expect(await pairs.next().map { "\($0.count) \($1)" } == "1 8")
  }

  @Test("S20: when the sources stop changing, the last pair has their last states")
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
      try hold(await observer.value, "the last pair did not arrive")
      try hold(
        left.knot.observerCount == 0 && right.knot.observerCount == 0,
        "an observer is still registered")
    }
  }

  @Test(
    "S20, S8: a woken reader is registered once in each source, and a cancelled reader in neither")
  func leavesBoth() async {
    await exploreContract(seeds: 500, allowing: [.noChoice]) {
      let (left, right) = (PlainNode(), Session())
      // Because of these observers, the reader is registered under different numbers in the two sources.
      let others = (0..<2).map { _ in Task { for await _ in left.states {} } }
      await untilIdle()
      let reader = Task { for await _ in states(of: left, right) {} }
      await untilIdle()
      await left.reduce { $0.count += 1 }
      await untilIdle()
      try hold(left.knot.observerCount == 3, "\(left.knot.observerCount) observers of the first")
      try hold(right.knot.observerCount == 1, "\(right.knot.observerCount) observers of the second")
      reader.cancel()
      await reader.value
      try hold(left.knot.observerCount == 2, "\(left.knot.observerCount) remain at the first")
      try hold(right.knot.observerCount == 0, "\(right.knot.observerCount) remain at the second")
      for other in others {
        other.cancel()
        await other.value
      }
    }
  }

  @Test("S20: states(of:) continues with the remaining source when one of two sources is released")
  func oneIsReleased() async {
    for isFirst in [true, false] {
      await exploreContract(seeds: 200, allowing: [.noChoice]) {
        var (left, right): (Session?, Session?) = (Session(), Session())
        guard
          var pairs = left.flatMap({ left in right.map { states(of: left, $0) } })?
            .makeAsyncIterator()
        else { return }
        _ = await pairs.next()
        if isFirst { left = nil } else { right = nil }
        await (left ?? right)?.reduce { $0 = 9 }
        let pair = await pairs.next().map { [$0, $1] }
        try hold(pair == (isFirst ? [7, 9] : [9, 7]), "got \(pair ?? [])")
        (left, right) = (nil, nil)
        let end = await pairs.next()
        try hold(end == nil, "continues after both are released")
      }
    }
  }

  @Test(
    "S20, S8: states(of:) ends when all sources are released, and a cancelled observer ends"
  )
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
