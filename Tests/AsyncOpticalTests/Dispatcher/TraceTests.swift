import ExploreTesting

@testable import AsyncOptical

/// The events that a holder reports.
@Suite struct TraceTests {
  private struct Refused: Error, Equatable {}

  /// The stage that a message has reached, which determines the events that can follow.
  private enum Life: Equatable {
    case sent, waiting, started
    case over(DispatchOutcome)
    /// The message shares the outcome of another message.
    case joined(Int)

    init?(_ event: TraceEvent, after before: Life?) {
      switch (before, event.kind) {
      case (nil, .sent): self = .sent
      case (.sent, .waiting): self = .waiting
      case (.sent, .started), (.waiting, .started): self = .started
      case (.sent, .joined):
        guard let id = event.cause?.id else { return nil }
        self = .joined(id)
      case (.sent, .ended(.fresh)): self = .over(.fresh)
      case (.sent, .ended(.dropped)), (.waiting, .ended(.dropped)): self = .over(.dropped)
      case (.started, .ended(let outcome)) where [.carriedOut, .superseded].contains(outcome):
        self = .over(outcome)
      case (.started, .ended(.failed(let error))): self = .over(.failed(error))
      case (let before?, .changed): self = before
      default: return nil
      }
    }
  }

  private func id(_ message: TraceEvent.Message?) -> Int? {
    (message?.value as? Onsite.Request)?.id
  }

  @Test("O21: the trace of each message agrees with its outcome, regardless of its policy")
  func model() async {
    let policies: [DispatchPolicy] = [
      .concurrent, .serial("s"), .serial("s", atMost: 2), .latest("l"), .exclusive("e"),
      .exclusive("f", freshFor: .seconds(2)), .debounced("d", for: .seconds(1)),
      .throttled("t", for: .seconds(2)),
    ]
    await exploreContract(seeds: 2_000) {
      let clock = TestClock()
      let worker = Onsite(clock: clock)
      let (events, outcomes, bag) = (Log<TraceEvent>(), Log<(Int, DispatchOutcome)>(), TaskBag())
      worker.trace(in: bag) { events.append($0) }
      let (gates, fails) = ((0..<12).map { _ in Gate() }, Shared<Set<Int>>([]))
      var tasks: [Task<Void, Never>] = []
      for id in gates.indices {
        guard let policy = policies.randomElement() else { continue }
        let request = Onsite.Request(id: id, policy: policy) { holder in
          await gates[id].wait()
          if fails.value.contains(id) {
            holder.commit(
              error: Refused(),
              from: Onsite.Request(id: id, policy: policy) { _ in })
          }
        }
        tasks.append(Task { outcomes.append((id, await worker.perform(request))) })
        switch Int.random(in: 0...5) {
        case 0: worker.cancel(["s", "l", "e", "f", "d", "t"].randomElement() ?? "s")
        case 1: try await clock.sleep(for: .seconds(1))
        case 2: fails.value.insert(id)
        case 3: gates[Int.random(in: 0...id)].open()
        case 4: worker.invalidate("f")
        default: await untilIdle()
        }
      }
      gates.forEach { $0.open() }
      for task in tasks { await task.value }
      await untilIdle()
      try check(events.all, outcomes.all, worker.started.all)
    }
  }

  private func check(
    _ events: [TraceEvent], _ outcomes: [(Int, DispatchOutcome)], _ started: [Int]
  ) throws {
    let text = { events.map(\.description).joined(separator: "\n") }
    var (lives, shown, begun) = ([Int: Life](), [Int](), [Int]())
    var numbers: [Int: Int] = [:]
    for event in events {
      guard let message = event.message, let id = id(message) else {
        throw Violation(description: "no message in \(event)")
      }
      numbers[message.id] = id
      guard let life = Life(event, after: lives[id]) else {
        throw Violation(description: "\(event) after \(String(describing: lives[id]))\n\(text())")
      }
      lives[id] = life
      if case .started = event.kind { begun.append(id) }
      if case .changed(_, let before, let after) = event.kind {
        try hold(before as? [Int] == shown, "\(before) is not \(shown)\n\(text())")
        shown = after as? [Int] ?? []
        if shown != before as? [Int] {
          try hold(shown.last == id, "\(shown) is reported for \(id)\n\(text())")
        }
      }
      if let cause = event.cause {
        try hold(cause.id != message.id, "\(event) causes itself")
        sometimes("a message is superseded by another", life == .over(.superseded))
      }
    }
    try hold(begun == started, "\(begun) is not \(started)\n\(text())")
    for (id, outcome) in outcomes {
      let told: DispatchOutcome
      switch lives[id] {
      case .over(let outcome): told = outcome
      case .joined(let number):
        guard let other = numbers[number], case .over(let end) = lives[other] else {
          throw Violation(description: "\(id) has joined nothing\n\(text())")
        }
        told = .joined(end)
      default: throw Violation(description: "\(id) has not ended\n\(text())")
      }
      try hold(told == outcome, "\(id): \(told) is traced, \(outcome) returned\n\(text())")
      sometimes("a message is \(told)", true)
    }
  }

  @Test("O21: a message's cause is the message whose handler sent it, even from another holder")
  func causes() async {
    await exploreContract(seeds: 200, allowing: [.noChoice]) {
      let (first, second, bag) = (Onsite(), Onsite(), TaskBag())
      let events = Log<TraceEvent>()
      for holder in [first, second] { holder.trace(in: bag) { events.append($0) } }
      first.send(1) { holder in
        await Task { second.send(2, .serial("x")) }.value
        holder.send(3)
      }
      await untilIdle()
      let sent = events.all.filter { if case .sent = $0.kind { true } else { false } }
      let causes = sent.map { "\(id($0.message) ?? 0) by \(id($0.cause) ?? 0)" }
      try hold(causes == ["1 by 0", "2 by 1", "3 by 1"], "\(causes)")
      let (message, cause) = (sent[1].message?.id ?? 0, sent[1].cause?.id ?? 0)
      let line = "Onsite: Request \(message) sent, by Request \(cause)"
      try hold(sent[1].description == line, "\(sent[1])")
      let holders = Set(events.all.map(\.holderID))
      try hold(holders.count == 2, "\(holders)")
    }
  }

  @Test("O21: each change names its own message, and a change of a direct dispatch names none")
  func pending() async {
    await exploreContract(seeds: 200, allowing: [.noChoice]) {
      let (board, bag, events) = (Shelf(), TaskBag(), Log<TraceEvent>())
      board.trace(in: bag) { events.append($0) }
      board.send(.put(1))
      await untilIdle()
      board.send(.put(2))
      await untilIdle()
      board.gate.open()
      await untilIdle()
      await board.dispatch(.fail)
      let told = events.all.numbered
      let expected = [
        "0 sent", "0 started", "0 changed: expected", "1 sent", "0 ended: superseded by 1",
        "0 changed: withdrawn", "1 started", "1 changed: expected", "1 changed: response",
        "1 ended: carriedOut", "- changed: failure",
      ]
      try hold(told == expected, "\(told)")
    }
  }

  private actor Shelf: Opticle {
    enum Request: Sendable, Equatable { case put(Int), fail }
    let knot = Knot<[Int]>([])
    let gate = Gate()
    nonisolated func policy(for request: Request) -> DispatchPolicy { .latest("put") }
    func expectation(for request: Request) -> Int? {
      if case .put(let id) = request { id } else { nil }
    }
    func dispatch(_ request: Request) async {
      if case .fail = request { return commit(error: Refused(), from: request) }
      await commit(expectationFor: request) { [gate] in await gate.wait() }
    }
    func mutate(_ state: inout [Int], response: Int) {
      if !state.contains(response) { state.append(response) }
    }
    func recover(_ state: inout [Int], request: Request, error: any Error) { state = [] }
  }

  @Test(
    "O21: if a debounced message supersedes another one, it is the cause of the other message's end"
  )
  func supersededWhileDebounced() async {
    await exploreContract(seeds: 50, allowing: [.noChoice]) {
      let (clock, gate, ends) = (TestClock(), Gate(), Log<[Int?]>())
      let (worker, bag) = (Onsite(clock: clock), TaskBag())
      worker.trace(in: bag) { event in
        guard case .ended(.superseded) = event.kind else { return }
        ends.append([event.message, event.cause].map { ($0?.value as? Onsite.Request)?.id })
      }
      worker.send(1, .debounced("a", for: .seconds(1))) { _ in await gate.wait() }
      await untilIdle()
      await clock.advance(by: .seconds(1))
      await untilIdle()
      worker.send(2, .debounced("a", for: .seconds(1)))
      await untilIdle()
      try hold(ends.all == [[1, 2]], "\(ends.all)")
      gate.open()
      bag.cancel()
    }
  }

  @Test("O21: a debounced message that starts at once is the cause of the dropped one's end")
  func droppedByAnImmediateMessage() async {
    await exploreContract(seeds: 50, allowing: [.noChoice]) {
      let (worker, bag, ends) = (Onsite(clock: TestClock()), TaskBag(), Log<[Int?]>())
      worker.trace(in: bag) { event in
        guard case .ended(.dropped) = event.kind else { return }
        ends.append([event.message, event.cause].map { ($0?.value as? Onsite.Request)?.id })
      }
      worker.send(1, .debounced("a", for: .seconds(1)))
      await untilIdle()
      worker.send(2, .debounced("a", for: .zero))
      await untilIdle()
      try hold(ends.all == [[1, 2]], "\(ends.all)")
    }
  }

  @Test("O21: a commit that a handler makes on another holder belongs to no message")
  func commitOnAnotherHolder() async {
    await exploreContract(seeds: 50, allowing: [.noChoice]) {
      let (first, second, bag, isOfMessage) = (Onsite(), Onsite(), TaskBag(), Log<Bool>())
      first.trace(in: bag) { _ in }
      second.trace(in: bag) { isOfMessage.append($0.message != nil) }
      first.send(1) { _ in await second.commit(9) }
      await untilIdle()
      try hold(isOfMessage.all == [false], "\(isOfMessage.all)")
    }
  }

  @Test("O21: a message from a loop that a handler started in a bag has no cause")
  func loopInABag() async {
    await exploreContract(seeds: 50, allowing: [.noChoice]) {
      let (worker, ids, bag, causes) = (Onsite(), EventChannel<Int>(), TaskBag(), Log<Bool>())
      worker.trace(in: bag) { if case .sent = $0.kind { causes.append($0.cause != nil) } }
      worker.send(1) { worker in
        ids.subscribe().map { Onsite.Request(id: $0, policy: .concurrent, work: { _ in }) }
          .send(to: worker, in: bag)
      }
      await untilIdle()
      ids.send(2)
      await untilIdle()
      try hold(worker.state == [1, 2], "\(worker.state)")
      try hold(causes.all == [false, false], "\(causes.all)")
      bag.cancel()
    }
  }

  @Test("O21: each retry is traced with its error, and each timeout is traced")
  func attempts() async {
    await exploreContract(seeds: 200, allowing: [.noChoice]) {
      let (clock, bag, events) = (TestClock(), TaskBag(), Log<TraceEvent>())
      let worker = Onsite(clock: clock)
      worker.trace(in: bag) { events.append($0) }
      worker.send(1) { holder in
        let policy = RetryPolicy(attempts: 3) { failures, _ in .seconds(failures) }
        let failures = Shared(0)
        try? await holder.retry(policy, timeout: .seconds(5)) {
          failures.value += 1
          if failures.value == 1 { throw Refused() }
          try await clock.sleep(for: .seconds(9))
        }
      }
      try await clock.sleep(for: .seconds(30))
      await untilIdle()
      let told = events.all.numbered
      let expected = [
        "0 sent", "0 started", "0 retrying", "0 timed out", "0 retrying", "0 timed out",
        "0 changed: response", "0 ended: carriedOut",
      ]
      try hold(told == expected, "\(told)")
      for case .retrying(let delay, let error) in events.all.map(\.kind) {
        try hold(
          delay == .seconds(error is Refused ? 1 : 2), "\(delay) after \(error)")
      }
    }
  }

  @Test(
    "O21: the name of a message shows no text from its description, debug description or mirror"
  )
  func privateNames() {
    enum Greeting: Sendable, CustomStringConvertible {
      case ann, someone(String)
      var description: String { "private" }
    }
    enum Debugged: Sendable, CustomDebugStringConvertible {
      case ann
      var debugDescription: String { "private" }
    }
    enum Reflected: Sendable, CustomReflectable {
      case ann
      var customMirror: Mirror { Mirror(self, children: ["private": 1], displayStyle: .enum) }
    }
    enum Streamed: Sendable, TextOutputStreamable {
      case ann
      func write(to target: inout some TextOutputStream) { target.write("private") }
    }
    enum Plain: Sendable { case ann }
    let values: [any Sendable] = [
      Greeting.ann, Greeting.someone("private"), Debugged.ann, Streamed.ann,
      Reflected.ann, Plain.ann,
    ]
    let names = values.map { TraceEvent.Message(id: 1, value: $0).name }
    #expect(names == ["Greeting", "someone", "Debugged", "Streamed", "Reflected", "ann"])
  }

  @Test("O21: a trace line has the names of the message and the change, but none of their values")
  func words() async {
    let (board, bag, events) = (Shelf(), TaskBag(), Log<TraceEvent>())
    board.gate.open()
    board.trace(in: bag) { events.append($0) }
    await board.perform(.put(4711))
    let lines = events.all.map(\.description)
    let number = events.all.first?.message?.id ?? 0
    #expect(
      lines == [
        "Shelf: put \(number) sent", "Shelf: put \(number) started",
        "Shelf: put \(number) changed: expected", "Shelf: put \(number) changed: response",
        "Shelf: put \(number) ended: carriedOut",
      ])
    #expect(events.all.map(\.instant) == events.all.map(\.instant).sorted())
  }
}
