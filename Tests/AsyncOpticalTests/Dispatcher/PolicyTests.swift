@Suite struct PolicyTests {
  @Test(
    "O3, O4, O10, VR3: each policy starts, delays, drops and cancels the right messages",
    arguments: PolicyCase.all)
  func policies(_ policy: PolicyCase) async {
    await exploreContract(seeds: 1_000, allowing: [.noChoice]) { try await policy.play() }
  }

  @Test("O3, O4: the latest request cancels the request in flight, whose commit is dropped")
  func latest() async {
    await exploreContract {
      let worker = Worker()
      let gates = (0..<3).map { _ in Gate() }
      for id in 0..<3 { worker.send(id, .latest("page")) { await gates[id].wait() } }
      await withDiscardingTaskGroup { group in
        for gate in gates.reversed() { group.addTask { gate.open() } }
      }
      await untilIdle()
      try hold(worker.ended.all.sorted() == [0, 1, 2], "ended \(worker.ended.all)")
      try hold(worker.state.done.last == 2, "done \(worker.state.done)")
      // A message that ended before the next one was handled may also have committed.
      try hold(worker.state.done == worker.state.done.sorted(), "done \(worker.state.done)")
    }
  }

  @Test("O3: equal ids of different instances or policies do not affect each other")
  func ids() async {
    await exploreContract(seeds: 500) {
      let (first, second) = (Worker(), Worker())
      let gate = Gate()
      first.send(0, .exclusive("a")) { await gate.wait() }
      second.send(1, .exclusive("a"))
      first.send(2, .latest("a"))
      first.send(3, .exclusive(1))
      await untilIdle()
      gate.open()
      await untilIdle()
      try hold(first.started.all == [0, 2, 3], "first \(first.started.all)")
      try hold(second.state.done == [1], "second \(second.state.done)")
    }
  }

  @Test("A request that a superseded dispatch has sent is carried out")
  func sentByDispatch() async {
    await exploreContract(seeds: 500) {
      let worker = Worker()
      let gate = Gate()
      worker.send(0, .latest("page")) {
        worker.send(1) { await gate.wait() }
        await gate.wait()
      }
      await worker.supersede(gate)
      try hold(worker.state.done.sorted() == [1, 2], "done \(worker.state.done)")
    }
  }

  @Test(
    "O10: a time of Int64.max seconds is valid, and a shorter time that is set later replaces it",
    arguments: [true, false])
  func endless(isDebounced: Bool) async {
    func policy(_ time: Duration) -> DispatchPolicy {
      isDebounced ? .debounced("a", for: time) : .throttled("a", for: time)
    }
    let worker = Worker()
    let recorder = Recorder(worker.watch.filter { $0.done.last == 3 })
    for id in 1...2 { worker.send(id, policy(.seconds(Int64.max))) }
    // Lets the timer go to sleep first.
    await yieldToOthers(times: 1_000)
    worker.send(3, policy(.nanoseconds(1)))
    let done = await recorder.wait(for: 1).last?.done
    #expect(done == (isDebounced ? [3] : [1, 3]))
  }

  #if os(macOS) || os(Linux)
    @Test(
      "O3, O17: sending with a limit or interval that is not positive traps with a message that names it",
      arguments: [true, false])
    func notPositive(isLimit: Bool) async {
      let result = await #expect(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) { [isLimit] in
        let worker = Worker()
        worker.send(1, isLimit ? .serial("a", atMost: 0) : .throttled("a", for: .zero))
        for _ in 0..<100_000 { await Task.yield() }
      }
      #expect(
        result.says(
          isLimit
            ? "serial(a, atMost:): needs a limit of at least 1 message in flight; got 0"
            : "throttled(a, for:): needs an interval above 0; got 0.0 seconds"))
    }
  #endif
}
