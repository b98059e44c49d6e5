import AsyncKnot
import AsyncKnotTesting
@testable import AsyncOptical
import TestSupport
import Testing

/// A bounded mailbox drops the user's messages, never the internal messages that policies need.
@Suite struct BoundedMailboxTests {
  @Test(
    "O3, M1: the next message of an id starts even if the mailbox is full when the previous one ends",
    arguments: [MailboxPolicy.oldest(1), .newest(1), .oldest(2), .newest(2)])
  func serialLane(policy: MailboxPolicy) async {
    await exploreContract(seeds: 1_000) {
      let (worker, gate) = (Onsite(policy), Gate())
      worker.send(1, .serial(0)) { _ in await gate.wait() }
      await untilIdle()
      worker.send(2, .serial(0))
      await untilIdle()
      await withDiscardingTaskGroup { group in
        group.addTask { gate.open() }
        group.addTask { for id in 10..<14 { worker.send(id) } }
      }
      await untilIdle()
      worker.send(3, .serial(0))
      await untilIdle()
      let serial = worker.state.filter { $0 < 10 }
      try hold(serial == [1, 2, 3], "the lane ran \(serial)")
      let lost = (10..<14).count { !worker.state.contains($0) }
      try hold(
        worker.droppedCount == lost,
        "\(worker.droppedCount) of \(lost) dropped messages were counted")
    }
  }

  @Test("M1: a message that has started does not count as waiting when its trace event is handled")
  func startedMessage() async {
    await exploreContract(seeds: 200) {
      let (worker, bag, sent) = (Onsite(.oldest(1)), TaskBag(), Log<Int>())
      worker.trace(in: bag) { [weak worker] event in
        guard case .started = event.kind, sent.all.isEmpty else { return }
        sent.append(2)
        worker?.send(2)
      }
      worker.send(1)
      await untilIdle()
      try hold(worker.droppedCount == 0 && worker.state == [1, 2], "\(worker.state)")
    }
  }

  @Test(
    "O3, M1: a due message starts even if the mailbox is full",
    arguments: [MailboxPolicy.oldest(1), .newest(1)])
  func timedLane(policy: MailboxPolicy) async {
    await exploreContract(seeds: 1_000) {
      let clock = TestClock()
      let worker = Onsite(policy, clock: clock)
      worker.send(1, .debounced(0, for: .seconds(1)))
      await untilIdle()
      try await clock.sleep(for: .seconds(1))
      for id in 10..<14 { worker.send(id) }
      await untilIdle()
      try hold(worker.state.contains(1), "\(worker.state)")
    }
  }

  @Test(
    "O3, M1: cancel(id) reaches the id's messages even if the mailbox is full",
    arguments: [MailboxPolicy.oldest(1), .newest(1)])
  func cancel(policy: MailboxPolicy) async {
    await exploreContract(seeds: 500) {
      let (worker, gate) = (Onsite(policy), Gate())
      worker.send(1, .latest("page")) { _ in await gate.wait() }
      await untilIdle()
      for id in 10..<12 { worker.send(id) }
      worker.cancel("page")
      for id in 12..<14 { worker.send(id) }
      await untilIdle()
      gate.open()
      await untilIdle()
      try hold(!worker.state.contains(1), "\(worker.state)")
    }
  }

  @Test(
    "O20, M1: an invalidation takes effect even if the mailbox is full",
    arguments: [MailboxPolicy.oldest(1), .newest(1)])
  func invalidate(policy: MailboxPolicy) async {
    await exploreContract(seeds: 100, allowing: [.noChoice]) {
      let worker = Onsite(policy, clock: TestClock())
      let request = Onsite.Request(id: 1, policy: .exclusive("f", freshFor: .seconds(9))) { _ in }
      await worker.perform(request)
      for id in 10..<12 { worker.send(id) }
      worker.invalidate("f")
      for id in 12..<14 { worker.send(id) }
      await untilIdle()
      let outcome = await worker.perform(request)
      try hold(outcome == .carriedOut, "\(outcome)")
    }
  }

  @Test(
    "O16, M1: the last caller's cancellation takes effect even if the mailbox is full",
    arguments: [MailboxPolicy.oldest(1), .newest(1)])
  func cancelledCaller(policy: MailboxPolicy) async {
    await exploreContract(seeds: 200) {
      let (worker, gate) = (Onsite(policy), Gate())
      let caller = Task {
        await worker.perform(
          Onsite.Request(id: 1, policy: .exclusive("e")) { _ in await gate.wait() })
      }
      await untilIdle()
      for id in 10..<12 { worker.send(id) }
      caller.cancel()
      for id in 12..<14 { worker.send(id) }
      await untilIdle()
      gate.open()
      await untilIdle()
      try hold(!worker.state.contains(1), "\(worker.state)")
    }
  }

  private actor Drafts: Opticle {
    typealias Request = Work<Drafts>
    typealias Response = Change<[Int]>
    let knot = Knot<[Int]>([])
    nonisolated var mailboxPolicy: MailboxPolicy { .newest(1) }
  }

  @Test("O15, M1: a message that a full mailbox drops loses its expected change in the same step")
  func expectedChange() async {
    await exploreContract(seeds: 200, allowing: [.noChoice]) {
      let (drafts, gate) = (Drafts(), Gate())
      for id in 1...3 {
        drafts.send(
          Work(.serial("s"), expecting: { if !$0.contains(id) { $0.append(id) } }) { _ in
            await gate.wait()
          } recover: { _, _ in
          })
        await untilIdle()
      }
      try hold(drafts.state == [1, 3], "\(drafts.state)")
      gate.open()
    }
  }

  @Test(
    "O3, M1: messages that cancel(id) has dropped no longer count toward the limit",
    arguments: [MailboxPolicy.oldest(2), .newest(2)])
  func cancelledCounts(policy: MailboxPolicy) async {
    await exploreContract(seeds: 200, allowing: [.noChoice]) {
      let (worker, gate) = (Onsite(policy), Gate())
      for id in 1..<4 {
        worker.send(id, .serial("a")) { _ in await gate.wait() }
        await untilIdle()
      }
      worker.cancel("a")
      await untilIdle()
      let dropped = worker.droppedCount
      for id in 4..<6 { worker.send(id, .serial("b")) }
      await untilIdle()
      try hold(worker.state == [4, 5], "\(worker.state)")
      try hold(worker.droppedCount == dropped, "\(worker.droppedCount) dropped, not \(dropped)")
      gate.open()
    }
  }

  /// An opticle that sends itself a message while the policy of another message is read.
  private actor Asked: Opticle {
    let knot = Knot<[Int]>([])
    let dropped = Log<Int>()
    let gate = Gate()
    nonisolated var mailboxPolicy: MailboxPolicy { .oldest(1) }
    nonisolated func policy(for request: Int) -> DispatchPolicy {
      if request == 2 {
        send(3)
        dropped.append(droppedCount)
      }
      return .serial("x")
    }
    func dispatch(_ request: Int) async {
      if request == 1 { await gate.wait() }
      commit(request)
    }
    func mutate(_ state: inout [Int], response: Int) { state.append(response) }
    func recover(_ state: inout [Int], request: Int, error: any Error) {}
  }

  @Test("M1: a message counts as waiting while its policy is read")
  func askedForItsPolicy() async {
    let worker = Asked()
    worker.send(1)
    await worker.gate.hasArrived(1)
    worker.send(2)
    await waitWhile(worker.dropped.all.isEmpty)
    #expect(worker.dropped.all == [1])
    worker.gate.open()
    await waitWhile(worker.state.count < 2)
    #expect(worker.state == [1, 2])
    worker.send(4)
    await waitWhile(worker.desk.unfinishedCount > 0)
    #expect(worker.state == [1, 2, 4])
  }

  @Test("M1: a mailbox with a limit of one keeps one waiting message, regardless of policies")
  func oneAtATime() async {
    await exploreContract(seeds: 500) {
      let (worker, gate) = (Onsite(.oldest(1)), Gate())
      worker.send(1, .serial("a")) { _ in await gate.wait() }
      await untilIdle()
      for id in 2..<5 {
        worker.send(id, .serial("a"))
        await untilIdle()
      }
      worker.send(9)
      try hold(worker.droppedCount == 3, "\(worker.droppedCount) were dropped")
      gate.open()
      await untilIdle()
      try hold(worker.state == [1, 2], "\(worker.state)")
      for id in 5..<7 {
        worker.send(id)
        await untilIdle()
      }
      try hold(worker.state == [1, 2, 5, 6], "\(worker.state)")
    }
  }

  @Test(
    "M1, O14: a full .newest mailbox drops the oldest message, whatever its id, and the caller gets .dropped"
  )
  func overflow() async {
    await exploreContract(seeds: 200) {
      let (worker, gate, said) = (Onsite(.newest(2)), Gate(), Log<String>())
      func request(_ id: Int) -> Onsite.Request {
        Onsite.Request(id: id, policy: .serial(id % 3)) { _ in await gate.wait() }
      }
      for id in 0..<3 {
        worker.send(request(id))
        await untilIdle()
      }
      await withDiscardingTaskGroup { group in
        for id in 3..<9 {
          group.addTask { said.append("\(id) \(await worker.perform(request(id)))") }
          await untilIdle()
        }
        let dropped = (3..<7).map { "\($0) dropped" }
        if said.all != dropped { said.append("too late") }
        gate.open()
      }
      let expected = (3..<7).map { "\($0) dropped" } + ["7 carriedOut", "8 carriedOut"]
      try hold(said.all.sorted() == expected, "\(said.all)")
      try hold(worker.droppedCount == 4, "\(worker.droppedCount)")
    }
  }
}
