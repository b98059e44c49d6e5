/// The contract of derived sources (S23), explored.
@Suite struct DerivedExploredTests {
  @Test(
    "S23: each observer sees states in order up to the last, and each version is computed once")
  func lastState() async {
    await exploreContract(seeds: 5_000) {
      let (left, right, computed) = (Session(), Session(), Log<[Int]>())
      let sum = Derived(from: left, right) { left, right in
        computed.append([left, right])
        return left + right
      }
      try await withThrowingDiscardingTaskGroup { group in
        for _ in 0..<2 {
          group.addTask {
            var last = 0
            for await sum in sum.states {
              try hold(sum > last, "\(sum) after \(last)")
              last = sum
              if sum == 18 { break }
            }
            try hold(last == 18, "the last state was \(last)")
          }
        }
        for source in [left, right] {
          group.addTask { for _ in 0..<2 { await source.reduce { $0 += 1 } } }
        }
      }
      await untilIdle()
      try hold(Set(computed.all).count == computed.all.count, "computed \(computed.all)")
      try hold(
        left.knot.observerCount == 0 && right.knot.observerCount == 0,
        "an observer is still registered")
    }
  }

  @Test(
    "S23: a read after a write shows the write, even if another thread computes a source meanwhile")
  func readAfterWrite() async {
    await exploreContract(seeds: 4_000) {
      let session = Session()
      let limit = Derived(from: session) { $0 }
      let double = Derived(from: limit) { 2 * $0 }
      _ = double.state
      let reader = Task { _ = limit.state }
      await session.reduce { $0 = 21 }
      try hold(double.state == 42, "\(double.state)")
      await reader.value
    }
  }

  @Test("S23: an equal state does not arrive, and the next different state does")
  func equalStates() async {
    await exploreContract(seeds: 5_000) {
      let (session, given) = (Session(), Log<Int>())
      let isLarge = Derived(from: session) { $0 > 8 ? 1 : 0 }
      let observer = Task(executorPreference: Exploration.executor) {
        for await state in isLarge.states {
          given.append(state)
          if state == 1 { break }
        }
      }
      for _ in 0..<2 { await session.reduce { $0 += 1 } }
      await observer.value
      try hold(given.all == [0, 1] || given.all == [1], "given \(given.all)")
      await untilIdle()
      try hold(session.knot.observerCount == 0, "an observer is still registered")
    }
  }

  @Test("S23: a combination of derived sources uses one state of their common source")
  func diamond() async {
    await exploreContract(seeds: 5_000) {
      let session = Session()
      let (half, double) = (Derived(from: session) { $0 / 2 }, Derived(from: session) { $0 * 2 })
      let all = Derived(from: half, session, double) { [$0, $1, $2] }
      try await withThrowingDiscardingTaskGroup { group in
        group.addTask {
          for await numbers in all.states {
            let number = numbers[1]
            try hold(numbers == [number / 2, number, number * 2], "\(numbers)")
            if number == 9 { break }
          }
        }
        group.addTask { for await half in half.states where half == 4 { break } }
        group.addTask { for _ in 0..<2 { await session.reduce { $0 += 1 } } }
      }
      await untilIdle()
      try hold(session.knot.observerCount == 0, "an observer is still registered")
      try hold(
        half.knot.observerCount == 0 && double.knot.observerCount == 0,
        "a derived source still has an observer")
    }
  }

  @Test(
    "S8, S23: a cancelled observer is unregistered, and the others still get the last state")
  func cancelled() async {
    await exploreContract(seeds: 5_000) {
      let session = Session()
      let next = Derived(from: Derived(from: session) { $0 + 1 }) { $0 + 1 }
      let kept = Task(executorPreference: Exploration.executor) {
        for await number in next.states where number == 10 { return true }
        return false
      }
      let cancelled = Task(executorPreference: Exploration.executor) {
        for await _ in next.states {}
      }
      let canceller = Task(executorPreference: Exploration.executor) { cancelled.cancel() }
      await session.reduce { $0 = 8 }
      try hold(await kept.value, "the last state did not arrive")
      await cancelled.value
      await canceller.value
      await untilIdle()
      try hold(session.knot.observerCount == 0, "an observer is still registered")
    }
  }

  @Test("S8, S23: when its sources are released, a derived source ends with their last states")
  func ends() async {
    await exploreContract(seeds: 5_000) {
      var (left, right): (Session?, Session?) = (Session(), Session())
      guard
        let sum = left.flatMap({ left in right.map { Derived(from: left, $0) { $0 + $1 } } })
      else { return }
      let next = Derived(from: sum) { $0 + 1 }
      let observers = [sum.states, next.states, sum.states(buffering: .bufferingNewest(1))].map {
        states in
        Task(executorPreference: Exploration.executor) { await states.reduce(0) { $1 } }
      }
      await left?.reduce { $0 = 1 }
      left = nil
      await right?.reduce { $0 = 2 }
      right = nil
      var last: [Int] = []
      for observer in observers { last.append(await observer.value) }
      try hold(last == [3, 4, 3], "the last states were \(last)")
    }
  }

  @Test("S23: an observer keeps its derived source alive")
  func continuesWithoutAReference() async {
    await exploreContract(seeds: 200, allowing: [.noChoice]) {
      let session = Session()
      let states = Derived(from: session) { $0 + 1 }.states
      let observer = Task(executorPreference: Exploration.executor) {
        for await number in states where number == 10 { return true }
        return false
      }
      await untilIdle()
      await session.reduce { $0 = 9 }
      try hold(await observer.value, "the observer ended before its source")
    }
  }

  @Test("S8, S23: an observer that is cancelled at any suspension leaves nothing registered")
  func cancelledAnywhere() async {
    let moments = await exploreCancelling {
      let session = Session()
      let next = Derived(from: Derived(from: session) { $0 + 1 }, session) { $0 + $1 }
      await withDiscardingTaskGroup { group in
        group.addTask { for await number in next.states where number == 17 { return } }
        group.addTask { for await _ in next.states(buffering: .bufferingNewest(1)) { return } }
        group.addTask { await session.reduce { $0 += 1 } }
      }
      await untilIdle()
      try hold(session.knot.observerCount == 0, "an observer is still registered")
    }
    #expect(moments > 4)
  }
}
