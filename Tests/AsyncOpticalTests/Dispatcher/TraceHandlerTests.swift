import AsyncKnot
import ExploreTesting

@testable import AsyncOptical

/// Handlers and sequences that receive the events of a holder.
@Suite struct TraceHandlerTests {
  @Test("O21: cancelling the bag releases the handler, and no further event is created or reported")
  func silence() async {
    final class Freight: Sendable {}
    let (worker, bag, events) = (Onsite(), TaskBag(), Log<String>())
    weak var freight: Freight?
    do {
      let heavy = Freight()
      freight = heavy
      worker.trace(in: bag) { events.append("\($0.kind.name) \(type(of: heavy))") }
    }
    // The bag does not wait for a handler, because a handler is not a task.
    #expect(bag.isEmpty)
    await worker.perform(Onsite.Request(id: 1, policy: .concurrent) { _ in })
    #expect(events.all.count == 4)
    bag.cancel()
    #expect(freight == nil)
    await worker.perform(Onsite.Request(id: 2, policy: .concurrent) { _ in })
    #expect(events.all.count == 4)
    #expect(!worker.desk.isWatched())
    let entry = worker.trace(in: bag) { events.append("\($0.kind.name)") }
    worker.trace(in: bag) { events.append("other \($0.kind.name)") }
    entry.cancel()
    await worker.perform(Onsite.Request(id: 3, policy: .concurrent) { _ in })
    #expect(events.all.suffix(4).allSatisfy { $0.hasPrefix("other") })
    #expect(events.all.count == 8)
  }

  @Test(
    "O21: the sequence begins when the trace property is read, and ends after the holder's last message"
  )
  func sequence() async {
    await exploreContract(seeds: 500) {
      var worker: Onsite? = Onsite()
      worker?.send(0)
      guard let events = worker?.trace else { return }
      let gate = Gate()
      for id in 1...3 { worker?.send(id, .serial("s")) { _ in await gate.wait() } }
      if Bool.random() { await untilIdle() }
      worker = nil
      let told = Task { () -> [TraceEvent] in
        var told: [TraceEvent] = []
        for await event in events { told.append(event) }
        return told
      }
      await untilIdle()
      gate.open()
      let all = await told.value
      let ends = all.filter { if case .ended = $0.kind { true } else { false } }
      try hold(ends.count == 3, "\(all)")
      let sent = all.filter { if case .sent = $0.kind { true } else { false } }
      try hold(sent.map { ($0.message?.value as? Onsite.Request)?.id } == [1, 2, 3], "\(all)")
      sometimes("a message is dropped", ends.contains { $0.kind.name == "ended: dropped" })
      sometimes("a message is carried out", ends.contains { $0.kind.name == "ended: carriedOut" })
    }
  }

  @Test(
    "O21: messages that a full mailbox drops are traced, and dropping the sequence ends the tracing"
  )
  func full() async {
    let worker = Onsite(.newest(2))
    var events: EventSequence<TraceEvent>? = worker.trace
    let gate = Gate()
    worker.send(0, .serial("s")) { _ in await gate.wait() }
    await waitWhile(worker.started.all.isEmpty)
    for id in 1...4 { worker.send(id, .serial("s")) }
    await waitWhile(worker.droppedCount < 2)
    gate.open()
    await waitWhile(worker.desk.unfinishedCount > 0)
    var ends: [DispatchOutcome] = []
    if let events {
      var iterator = events.makeAsyncIterator()
      while ends.count < 5, let event = await iterator.next() {
        if case .ended(let outcome) = event.kind { ends.append(outcome) }
      }
    }
    #expect(ends.count { if case .dropped = $0 { true } else { false } } == 2)
    events = nil
    worker.send(5)
    #expect(!worker.desk.isWatched())
  }

  @Test("O21: the handler of a dropped sequence is released with the next message")
  func droppedSequenceIsReleased() async {
    let worker = Onsite()
    do { _ = worker.trace }
    let tracer = worker.desk.tracer.withLock { $0 }
    #expect(tracer?.handlerCount == 1)
    worker.send(1)
    await waitWhile(worker.state != [1])
    #expect(tracer?.handlerCount == 0)
  }

  @Test("O21: dropped sequences do not accumulate, even if no event happens")
  func dropped() async {
    let worker = Onsite()
    for _ in 0..<10_000 { _ = worker.trace }
    let count = worker.desk.tracer.withLock { $0?.handlerCount } ?? 0
    #expect(count <= 16)
  }

  @Test("O21: an object that an ended handler captured may begin another trace in its deinit")
  func releasedHandlerTraces() async {
    final class Cargo: Sendable {
      let worker: Onsite
      let bag: TaskBag
      init(_ worker: Onsite, _ bag: TaskBag) { (self.worker, self.bag) = (worker, bag) }
      deinit { worker.trace(in: bag) { _ in } }
    }
    let (worker, bag, isOver) = (Onsite(), TaskBag(), Shared(false))
    weak var kept: Cargo?
    do {
      let cargo = Cargo(worker, bag)
      kept = cargo
      worker.trace(until: { isOver.value }) { _ in withExtendedLifetime(cargo) {} }
    }
    #expect(kept != nil)
    isOver.value = true
    for _ in 0..<16 { worker.trace(until: { false }) { _ in } }
    #expect(kept == nil)
    let count = worker.desk.tracer.withLock { $0?.handlerCount }
    #expect(count == 17)
  }

  @Test(
    "O21: a handler that sends is not re-entered, and all handlers see the events in the same order"
  )
  func sending() async {
    await exploreContract(seeds: 500) {
      let (worker, bag) = (Onsite(), TaskBag())
      let (first, last, isCalled) = (Log<String>(), Log<String>(), Shared(false))
      let line = { @Sendable (event: TraceEvent) in
        "\((event.message?.value as? Onsite.Request)?.id ?? -1) \(event.kind.name)"
      }
      worker.trace(in: bag) { [weak worker] event in
        first.append(line(event))
        if isCalled.value { first.append("nested") }
        isCalled.value = true
        if case .ended(.carriedOut) = event.kind, first.all.count < 150 {
          worker?.send(first.all.count, .latest("l"))
          worker?.cancel("x")
        }
        isCalled.value = false
      }
      worker.trace(in: bag) { last.append(line($0)) }
      let events = Recorder(worker.trace)
      async let other: Void = { for id in 1001...1003 { worker.send(id, .serial("s")) } }()
      worker.send(0)
      await other
      await untilIdle()
      try hold(first.all == last.all, "\(first.all) is not \(last.all)")
      let recorded = events.elements.map(line)
      try hold(recorded == last.all, "\(recorded) is not \(last.all)")
      // The first event of each message is `sent`, and the last one is `ended`.
      for (id, lines) in Dictionary(grouping: last.all, by: { $0.split(separator: " ")[0] }) {
        let kinds = lines.map { $0.split(separator: " ")[1] }
        try hold(kinds.first == "sent" && kinds.last == "ended:", "\(id): \(lines)")
      }
      let count = first.all.count { $0.hasSuffix("sent") }
      try hold(count > 20, "\(count)")
      sometimes(
        "another sender's event came during a call", worker.desk.tracer.withLock { $0 } != nil)
    }
  }

  @Test(
    "O21, OR13: changes that a trace handler makes reach the trace and the transitions in the same order"
  )
  func committing() async {
    let (worker, bag, told) = (Onsite(), TaskBag(), Log<[Int]>())
    worker.trace(in: bag) { [weak worker] event in
      guard case .changed(_, _, let after) = event.kind, let after = after as? [Int] else { return }
      told.append(after)
      if after.count < 3 { worker?.assumeIsolated { $0.commit(after.count) } }
    }
    let transitions = Recorder(worker.transitions)
    await worker.commit(0)
    let heard = await transitions.wait(for: 3).map(\.after)
    #expect(heard == [[0], [0, 1], [0, 1, 2]])
    #expect(told.all == heard)
  }

  @Test("O21: the events of concurrent senders reach all handlers in the same order, one at a time")
  func threads() async {
    let (worker, bag) = (Onsite(), TaskBag())
    let (first, last) = (Log<TraceEvent>(), Log<TraceEvent>())
    let (isCalled, overlaps) = (Shared(false), Shared(0))
    worker.trace(in: bag) { event in
      if isCalled.value { overlaps.value += 1 }
      isCalled.value = true
      first.append(event)
      isCalled.value = false
    }
    worker.trace(in: bag) { last.append($0) }
    let count = isSanitized ? 200 : 2_000
    let policies: [DispatchPolicy] = [.concurrent, .serial("s"), .latest("l"), .exclusive("e")]
    await withDiscardingTaskGroup { group in
      for sender in 0..<4 {
        group.addTask {
          for step in 0..<count {
            worker.send(sender * count + step, policies[(sender + step) % policies.count])
          }
        }
      }
      group.addTask {
        for _ in 0..<count {
          worker.cancel("l")
          worker.trace(in: TaskBag()) { _ in }
        }
      }
    }
    let ends = {
      last.all.count { event in
        switch event.kind {
        case .ended, .joined: true
        default: false
        }
      }
    }
    await waitWhile(worker.desk.unfinishedCount > 0)
    await waitWhile(ends() < 4 * count)
    #expect(overlaps.value == 0)
    let isSame =
      first.all.map { "\($0)" } == last.all.map { "\($0)" }
    #expect(isSame)
    #expect(ends() == 4 * count)
    var left: Set<Int> = []
    for event in last.all {
      guard let id = event.message?.id else { continue }
      switch event.kind {
      case .sent: #expect(left.insert(id).inserted)
      case .ended, .joined: #expect(left.remove(id) != nil)
      case .changed: break
      default: #expect(left.contains(id))
      }
    }
    #expect(left.isEmpty)
    // Releasing the bags releases their handlers.
    let handlers = worker.desk.tracer.withLock { $0 }?.handlerCount
    #expect(handlers == 2)
  }

  @Test("O21: a task that a handler left behind does not keep the sequence open")
  func leftBehind() async {
    let gate = Gate()
    var worker: Onsite? = Onsite()
    guard let events = worker?.trace else { return }
    worker?.send(1, .serial("s")) { _ in Task { await gate.wait() } }
    let told = Task { () -> [String] in
      var kinds: [String] = []
      for await event in events { kinds.append(event.kind.name) }
      return kinds
    }
    await waitWhile((worker?.desk.unfinishedCount ?? 0) > 0)
    worker = nil
    let kinds = await told.value
    #expect(kinds == ["sent", "started", "changed: response", "ended: carriedOut"])
    gate.open()
  }
}
