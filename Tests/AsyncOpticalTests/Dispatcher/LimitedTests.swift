@testable import AsyncOptical

/// Serial ids that allow several messages in flight.
@Suite struct LimitedTests {
  @Test(
    "O17: up to atMost messages of an id run at once, and they start in the order sent"
  )
  func limit() async {
    await exploreContract(seeds: 2_000, every: .scheduleWithPreemptions(1)) {
      let (worker, inFlight) = (Onsite(), Log<Int>())
      let gates = (0..<5).map { _ in Gate() }
      for id in 0..<5 {
        worker.send(id, .serial("upload", atMost: 2)) { _ in
          inFlight.append(1)
          await gates[id].wait()
          inFlight.append(-1)
        }
      }
      await untilIdle()
      for id in [1, 0, 3, 2, 4] {
        let (started, done) = (worker.started.all, worker.state.count)
        let expected = Array(0..<min(5, done + 2))
        try hold(started == expected, "after \(done) ended, \(started) have started")
        gates[id].open()
        await untilIdle()
      }
      var count = 0
      for step in inFlight.all {
        count += step
        try hold(count <= 2, "\(inFlight.all)")
      }
      try hold(worker.state == [1, 0, 3, 2, 4], "\(worker.state)")
      try hold(
        worker.desk.lanes.isEmpty && worker.desk.unfinishedCount == 0,
        "a lane or a message was not removed")
    }
  }

  @Test(
    "O17: a waiting message starts when its own limit allows, and no later message overtakes it")
  func mixed() async {
    await exploreContract(seeds: 1_000) {
      let worker = Onsite()
      let gates = (0..<5).map { _ in Gate() }
      for (id, limit) in [3, 3, 1, 3, 3].enumerated() {
        worker.send(id, .serial("upload", atMost: limit)) { _ in await gates[id].wait() }
      }
      await untilIdle()
      try hold(worker.started.all == [0, 1], "\(worker.started.all)")
      gates[0].open()
      await untilIdle()
      try hold(worker.started.all == [0, 1], "\(worker.started.all)")
      gates[1].open()
      await untilIdle()
      try hold(worker.started.all == [0, 1, 2, 3, 4], "\(worker.started.all)")
      for gate in gates { gate.open() }
      await untilIdle()
      try hold(worker.desk.lanes.isEmpty, "a lane was not removed")
    }
  }

  @Test(
    "O17, O3: after cancel(id), a later message waits until enough cancelled ones have returned"
  )
  func cancelled() async {
    await exploreContract(seeds: 1_000) {
      let worker = Onsite()
      let gates = (0..<6).map { _ in Gate() }
      func send(_ ids: Range<Int>) {
        for id in ids {
          worker.send(id, .serial("upload", atMost: 2)) { _ in await gates[id].wait() }
        }
      }
      send(0..<3)
      await untilIdle()
      worker.cancel("upload")
      send(3..<6)
      await untilIdle()
      try hold(worker.started.all == [0, 1], "\(worker.started.all)")
      gates[1].open()
      await untilIdle()
      try hold(worker.started.all == [0, 1, 3], "\(worker.started.all)")
      for gate in gates { gate.open() }
      await untilIdle()
      try hold(worker.state.sorted() == [3, 4, 5], "\(worker.state)")
      try hold(worker.desk.lanes.isEmpty, "a lane was not removed")
    }
  }

  @Test(
    "O17, M1: when a waiting message is dropped, the messages behind it start if their limits allow"
  )
  func behindDropped() async {
    await exploreContract(seeds: 500) {
      let worker = Onsite(.newest(2))
      let gates = (0..<4).map { _ in Gate() }
      for (id, limit) in [1, 1, 4, 4].enumerated() {
        worker.send(id, .serial("upload", atMost: limit)) { _ in await gates[id].wait() }
        await untilIdle()
      }
      try hold(worker.started.all == [0, 2, 3], "\(worker.started.all)")
      try hold(worker.droppedCount == 1, "\(worker.droppedCount) dropped")
      for gate in gates { gate.open() }
      await untilIdle()
      try hold(worker.state.sorted() == [0, 2, 3], "\(worker.state)")
      try hold(
        worker.desk.lanes.isEmpty && worker.desk.unfinishedCount == 0,
        "a lane or a message was not removed")
    }
  }

  @Test("O17: the limit of a serial policy is one by default")
  func plain() { #expect(DispatchPolicy.serial("a").terms.limit == 1) }
}
