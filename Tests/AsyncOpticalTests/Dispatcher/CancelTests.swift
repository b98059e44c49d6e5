@testable import AsyncOptical

/// After the actor has handled `cancel(id)`, messages of that id that were sent earlier no longer start.
@Suite struct CancelTests {
  /// Cancels the id "a", and then sends message 9 and, with the id "a", message 3.
  ///
  /// Message 9 starts after the cancellation is handled, so it marks that moment.
  private static func cancel(_ worker: Onsite) {
    worker.cancel("a")
    worker.send(9)
    worker.send(3, .serial("a"))
  }

  /// Throws unless message 3, which was sent after the cancellation, is done.
  ///
  /// Message 2, which was sent before the cancellation, must have started before message 9, or not at all.
  private static func check(_ worker: Onsite) throws {
    let started = worker.started.all.filter { $0 == 2 || $0 == 9 }
    try hold(started == [9] || started == [2, 9], "started \(worker.started.all)")
    try hold(worker.state.contains(3), "\(worker.state)")
    try hold(
      worker.desk.unfinishedCount == 0, "\(worker.desk.unfinishedCount) messages are unfinished")
    try hold(worker.desk.lanes.isEmpty, "a lane was not removed")
  }

  /// An opticle whose request 1 cancels its own id and then returns.
  private actor Quitter: Opticle {
    let knot = Knot<[Int]>([])
    let policy: DispatchPolicy
    init(_ policy: DispatchPolicy) { self.policy = policy }
    nonisolated func policy(for request: Int) -> DispatchPolicy { policy }
    func dispatch(_ request: Int) async {
      commit(request)
      if request == 1 { cancel("a") }
    }
    func mutate(_ state: inout [Int], response: Int) { state.append(response) }
    func recover(_ state: inout [Int], request: Int, error: any Error) {}
  }

  @Test(
    "O3, O20: a message that cancels its own id and returns is superseded, and leaves no fresh response",
    arguments: [DispatchPolicy.serial("a"), .exclusive("a", freshFor: .seconds(60))])
  func cancelsItself(policy: DispatchPolicy) async {
    await exploreContract(seeds: 100, allowing: [.noChoice]) {
      let quitter = Quitter(policy)
      let outcomes = [await quitter.perform(1), await quitter.perform(2)]
      try hold(outcomes == [.superseded, .carriedOut], "\(outcomes)")
      try hold(quitter.state == [1, 2], "\(quitter.state)")
    }
  }

  @Test("O3: cancel(id) reaches a serial message whose turn has come but that has not started")
  func forwarded() async {
    await exploreContract(seeds: 5_000) {
      let (worker, gate) = (Onsite(), Gate())
      worker.send(1, .serial("a")) { _ in await gate.wait() }
      worker.send(2, .serial("a"))
      await untilIdle()
      await withDiscardingTaskGroup { group in
        group.addTask { gate.open() }
        group.addTask { Self.cancel(worker) }
      }
      await untilIdle()
      try Self.check(worker)
    }
  }

  @Test(
    "O3: cancel(id) reaches a due message that has not started",
    arguments: [Lane.Kind.debounced, .throttled])
  func due(kind: Lane.Kind) async {
    await exploreContract(seeds: 5_000) {
      let clock = TestClock()
      let worker = Onsite(clock: clock)
      let policy: DispatchPolicy =
        kind == .debounced ? .debounced("a", for: .seconds(1)) : .throttled("a", for: .seconds(1))
      if kind == .throttled { worker.send(1, policy) }
      worker.send(2, policy)
      await untilIdle()
      try await clock.sleep(for: .seconds(1))
      Self.cancel(worker)
      await untilIdle()
      try Self.check(worker)
    }
  }

  @Test("O3, O15: a message that is cancelled as it begins to wait shows no change")
  func whileItBeginsToWait() async {
    await exploreContract(seeds: 4_000) {
      let (notes, gate) = (Notes(), Gate())
      notes.send(Work(.serial("edit")) { _ in await gate.wait() })
      await gate.hasArrived(1)
      let cancellation = Task { notes.cancel("edit") }
      let edit = Work<Notes>(.serial("edit"), expecting: { $0 = ["note"] }) { _ in
      } recover: { _, _ in
      }
      notes.send(edit)
      await cancellation.value
      gate.open()
      await untilIdle()
      let pending = await notes.pendingCount
      try hold(pending == 0, "\(pending) changes are pending, and \(notes.state) is shown")
    }
  }

  private actor Notes: Opticle {
    typealias Request = Work<Notes>
    typealias Response = Change<[String]>
    let knot = Knot<[String]>([])
  }

  @Test("O3: cancel(id) reaches a throttled message in flight, even many intervals after its start")
  func throttled() async {
    await exploreContract(seeds: 500) {
      let (clock, gate, running) = (TestClock(), Gate(), Log<Int>())
      let worker = Onsite(clock: clock)
      let policy = DispatchPolicy.throttled("a", for: .seconds(1))
      for id in 1...3 {
        worker.send(id, policy) { _ in
          running.append(1)
          await gate.wait()
          running.append(-1)
        }
        try await clock.sleep(for: .seconds(5))
      }
      worker.cancel("a")
      await untilIdle()
      gate.open()
      await untilIdle()
      try hold(worker.state.isEmpty, "\(worker.state)")
      let overlaps = running.all.reduce(into: (now: 0, most: 0)) { counts, change in
        counts.now += change
        counts.most = max(counts.most, counts.now)
      }
      try hold(overlaps.most == 1, "\(overlaps.most) in flight at once")
      worker.send(4, policy)
      try await clock.sleep(for: .seconds(5))
      try hold(worker.state == [4], "\(worker.state)")
      try hold(clock.sleeperCount == 0, "a timer is still running")
    }
  }
}
