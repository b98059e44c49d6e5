import AsyncKnot
import AsyncKnotTesting
import AsyncOptical
import TestSupport
import Testing

@Suite struct PolicyTests {
  @Test("O3, M1: dispatches start in the order sent, whatever they wait for")
  func order() async {
    await exploreContract {
      let worker = Worker()
      for id in 0..<6 {
        worker.send(id) { for _ in 0..<id % 3 { await Task.yield() } }
        if id == 3 { await Task.yield() }
      }
      await untilIdle()
      try hold(worker.started.all == Array(0..<6), "started \(worker.started.all)")
      try hold(worker.state.done.sorted() == Array(0..<6), "done \(worker.state.done)")
    }
  }

  @Test("O3: serial requests of one id run one after another, others beside them")
  func serial() async {
    await exploreContract {
      let worker = Worker()
      let gate = Gate()
      worker.send(0, .serial("a")) { await gate.wait() }
      for id in 1..<4 { worker.send(id, .serial("a")) { await Task.yield() } }
      worker.send(9, .serial("b"))
      await untilIdle()
      try hold(worker.started.all == [0, 9], "started \(worker.started.all)")
      gate.open()
      await untilIdle()
      try hold(worker.ended.all == [9, 0, 1, 2, 3], "ended \(worker.ended.all)")
      try hold(worker.state.done == [9, 0, 1, 2, 3], "done \(worker.state.done)")
    }
  }

  @Test("O3, O4: the latest request cancels the one in flight, whose commit is dropped")
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
      // One that ended before the next was even handled has committed in time.
      try hold(worker.state.done == worker.state.done.sorted(), "done \(worker.state.done)")
    }
  }

  @Test("O4: what a superseded dispatch commits late is dropped")
  func late() async {
    await exploreContract {
      let worker = Worker()
      let gate = Gate()
      worker.send(0, .latest("page")) { await gate.wait() }
      await untilIdle()
      worker.send(1, .latest("page"))
      await untilIdle()
      gate.open()
      await untilIdle()
      try hold(worker.state.done == [1], "done \(worker.state.done)")
      try hold(worker.cancelled.all == [0], "cancelled \(worker.cancelled.all)")
    }
  }

  @Test(
    "O4: commits of child tasks and unstructured tasks are dropped with their dispatch")
  func lateChildren() async {
    await exploreContract {
      let worker = Worker()
      let gate = Gate()
      worker.send(0, .latest("page")) {
        await withDiscardingTaskGroup { group in
          group.addTask {
            await gate.wait()
            await worker.commit(10)
          }
          group.addTask {
            await Task {
              await gate.wait()
              await worker.commit(11)
            }.value
          }
        }
      }
      await untilIdle()
      worker.send(1, .latest("page"))
      await untilIdle()
      gate.open()
      await untilIdle()
      try hold(worker.state.done == [1], "done \(worker.state.done)")
    }
  }

  @Test("O3: exclusive requests are dropped while one is in flight")
  func exclusive() async {
    await exploreContract {
      let worker = Worker()
      let gate = Gate()
      worker.send(0, .exclusive("more")) { await gate.wait() }
      worker.send(1, .exclusive("more"))
      worker.send(2, .exclusive("other"))
      await untilIdle()
      gate.open()
      await untilIdle()
      worker.send(3, .exclusive("more"))
      await untilIdle()
      try hold(worker.started.all == [0, 2, 3], "started \(worker.started.all)")
    }
  }

  @Test("O3: a debounced request starts after a quiet time, and only the last one does")
  func debounced() async {
    await exploreContract(seeds: 500) {
      let clock = TestClock()
      let worker = Worker(clock: clock)
      let policy = DispatchPolicy.debounced("search", for: .milliseconds(300))
      let times = Log<Duration>()
      for id in 0..<3 {
        worker.send(id, policy) { times.append(clock.now.offset) }
        try await clock.sleep(for: .milliseconds(200))
      }
      try await clock.sleep(for: .milliseconds(200))
      worker.send(3, policy) { times.append(clock.now.offset) }
      try await clock.sleep(for: .seconds(1))
      try hold(worker.state.done == [2, 3], "done \(worker.state.done)")
      try hold(times.all == [.milliseconds(700), .milliseconds(1_100)], "at \(times.all)")
    }
  }

  @Test("O3: ids belong to the instance, and to one policy")
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

  @Test("VR3: cancelling the bag cancels what is in flight and leaves the opticle usable")
  func cancelBag() async {
    await exploreContract {
      let worker = Worker()
      let gate = Gate()
      for policy in [DispatchPolicy.concurrent, .serial("a"), .latest("a"), .exclusive("a")] {
        worker.send(0, policy) { await gate.wait() }
      }
      await untilIdle()
      worker.bag.cancel()
      gate.open()
      worker.send(1)
      worker.send(2, .serial("a"))
      worker.send(3, .exclusive("b"))
      await untilIdle()
      try hold(worker.state.done.sorted() == [1, 2, 3], "done \(worker.state.done)")
      try hold(worker.cancelled.all == [0, 0, 0, 0], "cancelled \(worker.cancelled.all)")
    }
  }

  @Test("a request sent by a superseded dispatch is a request of its own")
  func sentByDispatch() async {
    await exploreContract(seeds: 500) {
      let worker = Worker()
      let gate = Gate()
      worker.send(0, .latest("page")) {
        worker.send(1) { await gate.wait() }
        await gate.wait()
      }
      await untilIdle()
      worker.send(2, .latest("page"))
      await untilIdle()
      gate.open()
      await untilIdle()
      try hold(worker.state.done.sorted() == [1, 2], "done \(worker.state.done)")
    }
  }

  @Test("O10: a debounced request with a shorter quiet time is not held back by an older one")
  func shorterQuiet() async {
    await exploreContract(seeds: 200, allowing: [.noChoice]) {
      let clock = TestClock()
      let worker = Worker(clock: clock)
      let times = Log<Duration>()
      worker.send(1, .debounced("a", for: .seconds(10))) { times.append(clock.now.offset) }
      worker.send(2, .debounced("a", for: .seconds(1))) { times.append(clock.now.offset) }
      try await clock.sleep(for: .seconds(20))
      try hold(worker.state.done == [2], "done \(worker.state.done)")
      try hold(times.all == [.seconds(1)], "at \(times.all)")
      try hold(clock.sleeperCount == 0, "a timer goes on")
    }
  }

  @Test("O3: of throttled requests the first starts at once, then the last of each interval")
  func throttled() async {
    await exploreContract(seeds: 200, allowing: [.noChoice]) {
      let clock = TestClock()
      let worker = Worker(clock: clock)
      let times = Log<Duration>()
      for id in 0..<6 {
        worker.send(id, .throttled("a", for: .milliseconds(240))) {
          times.append(clock.now.offset)
        }
        try await clock.sleep(for: .milliseconds(100))
      }
      try await clock.sleep(for: .seconds(2))
      worker.send(9, .throttled("a", for: .milliseconds(240)))
      try await clock.sleep(for: .seconds(1))
      try hold(worker.state.done == [0, 2, 4, 5, 9], "done \(worker.state.done)")
      try hold(
        times.all == [.zero, .milliseconds(240), .milliseconds(480), .milliseconds(720)],
        "at \(times.all)")
      try hold(clock.sleeperCount == 0, "a timer goes on")
    }
  }

  @Test("O3: a throttled request that is in flight is not disturbed by the next interval")
  func throttledBusy() async {
    await exploreContract(seeds: 200, allowing: [.noChoice]) {
      let (clock, gate) = (TestClock(), Gate())
      let worker = Worker(clock: clock)
      worker.send(1, .throttled("a", for: .seconds(1))) { await gate.wait() }
      worker.send(2, .throttled("a", for: .seconds(1)))
      try await clock.sleep(for: .milliseconds(2_500))
      try hold(worker.started.all == [1], "started \(worker.started.all)")
      gate.open()
      try await clock.sleep(for: .seconds(2))
      try hold(worker.state.done == [1, 2], "done \(worker.state.done)")
    }
  }

  @Test("O3, O10: a busy throttled lane has no timer; the next request starts with an interval")
  func throttledWithoutTimer() async {
    await exploreContract(seeds: 200, allowing: [.noChoice]) {
      let (clock, gate, times) = (TestClock(), Gate(), Log<Duration>())
      let worker = Worker(clock: clock)
      worker.send(1, .throttled("a", for: .seconds(1))) { await gate.wait() }
      worker.send(2, .throttled("a", for: .seconds(1))) { times.append(clock.now.offset) }
      try await clock.sleep(for: .milliseconds(5_300))
      try hold(clock.sleeperCount == 0, "a timer runs in vain")
      worker.send(3, .throttled("a", for: .milliseconds(500))) { times.append(clock.now.offset) }
      await untilIdle()
      try hold(clock.sleeperCount == 0, "a timer runs in vain")
      gate.open()
      try await clock.sleep(for: .seconds(2))
      try hold(worker.state.done == [1, 3], "done \(worker.state.done)")
      try hold(times.all == [.milliseconds(5_500)], "at \(times.all)")
      try hold(clock.sleeperCount == 0, "a timer goes on")
    }
  }

  @Test(
    "O10: a time may be as long as durations get; a shorter one after it counts",
    arguments: [true, false])
  func endless(isDebounced: Bool) async {
    func policy(_ time: Duration) -> DispatchPolicy {
      isDebounced ? .debounced("a", for: time) : .throttled("a", for: time)
    }
    let worker = Worker()
    let recorder = Recorder(worker.watch.filter { $0.done.last == 3 })
    for id in 1...2 { worker.send(id, policy(.seconds(Int64.max))) }
    // The timer should have begun to sleep.
    await yieldToOthers(times: 1_000)
    worker.send(3, policy(.nanoseconds(1)))
    let done = await recorder.wait(for: 1).last?.done
    #expect(done == (isDebounced ? [3] : [1, 3]))
  }

  #if os(macOS) || os(Linux)
    @Test("O3: a throttled request without an interval is refused")
    func throttledForNothing() async {
      let result = await #expect(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) {
        let worker = Worker()
        worker.send(1, .throttled("scroll", for: .zero))
        while !Task.isCancelled { await Task.yield() }
      }
      #expect(result.says("throttled(scroll, for:): needs a positive interval; got 0.0 seconds"))
    }
  #endif
}
