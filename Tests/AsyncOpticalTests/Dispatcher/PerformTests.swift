@Suite struct PerformTests {
  @Test("O14: perform returns whether its message was carried out, joined, superseded or dropped")
  func outcomes() async {
    await exploreContract(seeds: 500) {
      let (worker, gate, said) = (Onsite(), Gate(), Log<String>())
      func perform(
        _ id: Int, _ policy: DispatchPolicy, _ work: @escaping @Sendable () async -> Void = {}
      ) async {
        let request = Onsite.Request(id: id, policy: policy) { _ in await work() }
        said.append("\(id) \(await worker.perform(request).words)")
      }
      await withDiscardingTaskGroup { group in
        group.addTask { await perform(1, .concurrent) }
        group.addTask { await perform(2, .latest("page")) { await gate.wait() } }
        group.addTask { await perform(4, .exclusive("more")) { await gate.wait() } }
        await untilIdle()
        group.addTask { await perform(3, .latest("page")) }
        group.addTask { await perform(5, .exclusive("more")) }
        await untilIdle()
        group.addTask { await perform(6, .serial("a")) { await gate.wait() } }
        await untilIdle()
        group.addTask { await perform(7, .serial("a")) }
        await untilIdle()
        worker.cancel("a")
        await untilIdle()
        gate.open()
      }
      let outcomes = said.all.sorted()
      let expected = [
        "1 carriedOut", "2 superseded", "3 carriedOut", "4 carriedOut", "5 joined carriedOut",
        "6 superseded",
        "7 dropped",
      ]
      try hold(outcomes == expected, "\(outcomes)")
    }
  }

  /// Performs numbered messages, and remembers the order of its calls.
  private actor Clerk {
    let worker: Onsite
    private(set) var order: [Int] = []
    init(_ worker: Onsite) { self.worker = worker }

    func perform(_ id: Int) async {
      order.append(id)
      await worker.perform(Onsite.Request(id: id, policy: .serial("x")) { _ in await Task.yield() })
    }
  }

  @Test("O1, O14: messages that an actor performs arrive in the order of the actor's calls")
  func orderOfOneActor() async {
    await exploreContract(seeds: 2_000) {
      let worker = Onsite()
      let clerk = Clerk(worker)
      await withDiscardingTaskGroup { group in
        for id in 1...3 { group.addTask { await clerk.perform(id) } }
      }
      let order = await clerk.order
      try hold(worker.started.all == order, "performed \(order), started \(worker.started.all)")
    }
  }

  @Test(
    "O14: if a newer message replaces a waiting one, perform immediately returns .dropped",
    arguments: [true, false])
  func replaced(isDebounced: Bool) async {
    await exploreContract(seeds: 200, allowing: [.noChoice]) {
      let (clock, said) = (TestClock(), Log<String>())
      let worker = Onsite(clock: clock)
      let policy: DispatchPolicy =
        isDebounced ? .debounced("a", for: .seconds(1)) : .throttled("a", for: .seconds(1))
      if !isDebounced { worker.send(0, policy) }
      await untilIdle()
      try await withThrowingDiscardingTaskGroup { group in
        for id in 1...2 {
          group.addTask {
            let request = Onsite.Request(id: id, policy: policy) { _ in }
            said.append("\(id) \(await worker.perform(request)) at \(clock.now.offset)")
          }
          await untilIdle()
        }
        try await clock.sleep(for: .seconds(2))
      }
      let expected = ["1 dropped at 0.0 seconds", "2 carriedOut at 1.0 seconds"]
      try hold(said.all == expected, "\(said.all)")
    }
  }
}
