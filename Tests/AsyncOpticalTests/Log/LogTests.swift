@testable import AsyncOptical

/// The guarantees of the log when two features are combined.
@Suite struct LogTests {
  /// An opticle whose requests are enum cases, and whose responses wait until the test opens their gates.
  private actor Notes: Opticle {
    struct State: Sendable, Equatable { var rows: [String] = [], message = "" }
    enum Request: Sendable, Equatable {
      case load([String], Int)
      case add(String, Int)
      case waits(String, Int)
      case loadThenAdd(String, Int)
      case logThenAdd(String, Int)
      case renamed(String, Int)
    }
    enum Response: Sendable, Equatable { case loaded([String]), added(String), logged }

    let knot = Knot(State())
    let gates: [Gate]
    let refused: Set<String>

    init(gates: Int = 3, refusing refused: Set<String> = []) {
      self.gates = (0..<gates).map { _ in Gate() }
      self.refused = refused
    }

    func dispatch(_ request: Request) async {
      switch request {
      case .load(let rows, let gate):
        await load(from: request) {
          try await answer(rows.joined(), gate)
          return .loaded(rows)
        }
      case .add(let row, let gate):
        await commit(from: request, expecting: .added(row)) { try await answer(row, gate) }
      case .waits(let row, let gate):
        await commit(expectationFor: request) { try await answer(row, gate) }
      case .loadThenAdd(let row, let gate):
        await dispatch(.load(["loaded"], gate))
        await commit(expectationFor: request) { try await answer(row, gate) }
      case .logThenAdd(let row, let gate):
        await commit(from: .add("log", gate), expecting: .logged) {}
        await commit(expectationFor: request) { try await answer(row, gate) }
      case .renamed(let row, let gate):
        await commit(from: request, expecting: .added("\(row) #42")) { try await answer(row, gate) }
      }
    }

    private func answer(_ row: String, _ gate: Int) async throws {
      await gates[gate].wait()
      if refused.contains(row) { throw Broken() }
    }

    func expectation(for request: Request) -> Response? {
      switch request {
      case .waits(let row, _), .loadThenAdd(let row, _), .logThenAdd(let row, _),
        .renamed(let row, _):
        .added(row)
      case .load, .add: nil
      }
    }

    func mutate(_ state: inout State, response: Response) {
      switch response {
      case .loaded(let rows): state = State(rows: rows)
      case .added(let row): if !state.rows.contains(row) { state.rows.append(row) }
      case .logged: break
      }
    }
    func recover(_ state: inout State, request: Request, error: any Error) {
      state.message = "refused"
    }
    nonisolated func policy(for request: Request) -> DispatchPolicy {
      switch request {
      case .load: .latest("load")
      case .waits(_, 2): .serial("queue")
      case .add, .waits, .loadThenAdd, .logThenAdd, .renamed: .concurrent
      }
    }
    func commit(row: String) { commit(.added(row)) }
    var keptCount: Int { unsafe desk.log.count }
    func open() { for gate in gates { gate.open() } }
  }

  @Test("O15: only the commit that names a message confirms or withdraws the message's change")
  func ownRequest() async {
    await exploreContract(seeds: 1_000) {
      let requests = [Notes.Request.loadThenAdd("tea", 0), .logThenAdd("tea", 1)]
      for (request, isRefused) in [
        (requests[0], false), (requests[0], true), (requests[1], false), (requests[1], true),
      ] {
        let notes = Notes(refusing: isRefused ? ["tea"] : [])
        let changes = Recorder(notes.transitions)
        notes.send(request)
        await untilIdle()
        try hold(notes.state.rows == ["tea"], "not shown immediately: \(notes.state)")
        await notes.open()
        await untilIdle()
        let rows = (request == requests[0] ? ["loaded"] : []) + (isRefused ? [] : ["tea"])
        try hold(notes.state.rows == rows, "\(notes.state)")
        let (pending, kept) = await (notes.pendingCount, notes.keptCount)
        try hold(pending == 0 && kept == 0, "\(pending) pending, \(kept) kept")
        let confirmations = changes.elements.count { $0.cause == .response(.added("tea")) }
        try hold(confirmations == (isRefused ? 0 : 1), "\(changes.elements.map(\.cause))")
      }
    }
  }

  @Test("O15: a commit's expected change replaces the change that its waiting message showed")
  func otherExpectation() async {
    let notes = Notes(gates: 1)
    async let outcome = notes.perform(.renamed("tea", 0))
    await notes.gates[0].hasArrived(1)
    #expect(notes.state.rows == ["tea #42"])
    await notes.open()
    _ = await outcome
    #expect(notes.state.rows == ["tea #42"])
    #expect(await notes.keptCount == 0)
  }

  @Test("O15: changes of waiting and of started messages are shown in the order sent")
  func orderSent() async {
    await exploreContract(seeds: 1_000) {
      let notes = Notes()
      notes.send(.waits("a", 2))
      notes.send(.waits("b", 2))
      notes.send(.waits("c", 0))
      notes.send(.loadThenAdd("d", 1))
      notes.send(.waits("e", 2))
      await untilIdle()
      try hold(notes.state.rows == ["a", "b", "c", "d", "e"], "\(notes.state)")
      await notes.open()
      await untilIdle()
      try hold(notes.state.rows == ["loaded", "a", "b", "c", "d", "e"], "\(notes.state)")
    }
  }

  @Test("O15: a superseded load keeps no changes in the log, even if it hangs")
  func supersededLoad() async {
    let notes = Notes()
    notes.send(.load(["old"], 0))
    await notes.gates[0].hasArrived(1)
    await notes.commit(row: "a")
    #expect(await notes.keptCount == 1)
    notes.gates[1].open()
    await notes.perform(.load(["new"], 1))
    #expect(notes.state.rows == ["new"] && notes.gates[0].arrived == 1)
    await notes.commit(row: "b")
    #expect(await notes.keptCount == 0)
    await notes.open()
  }

  @Test(
    "O15: a request that ignores its cancellation keeps no changes in the log after a commit",
    arguments: [Notes.Request.load(["old"], 0), .add("old", 0), .waits("old", 0)])
  private func cancelledByBag(_ request: Notes.Request) async {
    await exploreContract(seeds: 100) {
      let notes = Notes()
      notes.send(request)
      await untilIdle()
      notes.knot.bag.cancel()
      for row in ["a", "b"] { await notes.commit(row: row) }
      await untilIdle()
      let kept = await notes.keptCount
      try hold(kept == 0 && notes.state.rows == ["a", "b"], "\(kept) kept, \(notes.state)")
      await notes.open()
      await untilIdle()
      try hold(notes.state.rows == ["a", "b"], "\(notes.state)")
    }
  }

  @Test(
    "O15: a message that is cancelled by a handler of its own 'started' event never shows its change"
  )
  func cancelledAtStart() async {
    await exploreContract(seeds: 100) {
      let (notes, bag) = (Notes(), TaskBag())
      let changes = Recorder(notes.transitions)
      notes.trace(in: bag) { [weak notes] event in
        if case .started = event.kind { notes?.knot.bag.cancel() }
      }
      notes.send(.waits("tea", 2))
      await untilIdle()
      try hold(changes.elements.isEmpty, "\(changes.elements.map(\.cause))")
      await notes.open()
    }
  }

  @Test("O15: when 'perform' returns, a change that its message has not confirmed is removed")
  func removedBeforeTheReturn() async {
    await exploreContract(seeds: 500) {
      let forgetful = Forgetful()
      async let later = forgetful.perform(2)
      let outcome = await forgetful.perform(1)
      try hold(outcome == .carriedOut && !forgetful.state.contains(1), "\(forgetful.state)")
      _ = await later
      try hold(forgetful.state.isEmpty, "\(forgetful.state)")
    }
  }

  /// An opticle that shows a change for each request and confirms none.
  private actor Forgetful: Opticle {
    let knot = Knot<[Int]>([])
    func expectation(for request: Int) -> Int? { request }
    func dispatch(_ request: Int) async {}
    func mutate(_ state: inout [Int], response: Int) {
      if !state.contains(response) { state.append(response) }
    }
    func recover(_ state: inout [Int], request: Int, error: any Error) {}
    nonisolated func policy(for request: Int) -> DispatchPolicy { .serial("queue") }
  }

  @Test(
    "O15: a cancelled request without an expected change keeps no changes in the log")
  func cancelledWithoutExpectation() async {
    let (worker, gate) = (Worker(), Gate())
    worker.send(1) { await gate.wait() }
    await gate.hasArrived(1)
    worker.knot.bag.cancel()
    for id in 2...3 { await worker.perform(Worker.Request(id: id)) }
    #expect(await worker.keptCount == 0)
    gate.open()
  }

  @Test("O15: the confirmed states include the changes that recover makes")
  func confirmedFailure() async {
    let worker = Worker()
    let confirmed = await worker.confirmed
    await worker.perform(Worker.Request(id: 1) { throw Broken() })
    #expect(worker.state.failed == [1] && confirmed.state == worker.state)
    await worker.commit(error: Broken(), from: Worker.Request(id: 2))
    #expect(worker.state.failed == [1, 2] && confirmed.state == worker.state)
  }

  @Test("O15, S8: confirmed states end with their opticle, even if their source is kept")
  func confirmedEnds() async {
    var notes: Notes? = Notes()
    guard let confirmed = await notes?.confirmed else { return }
    await notes?.commit(row: "a")
    notes = nil
    var last: Notes.State?
    for await state in confirmed.states { last = state }
    #expect(last?.rows == ["a"] && confirmed.state.rows == ["a"])
  }

  @Test("O15, O9: a restore replaces the base of pending changes, but never a confirmed change")
  func restored() async throws {
    let archive = StateArchive<Notes.State>(
      storage: Memory("AsyncKnot state 1\n"), encode: { _ in [] },
      decode: { _ in .init(rows: ["saved"]) })
    let shown = Notes()
    shown.send(.add("tea", 0))
    await shown.gates[0].hasArrived(1)
    guard case .state = try await shown.restore(from: archive) else {
      Issue.record("a pending change counted as a commit")
      return
    }
    #expect(shown.state.rows == ["saved", "tea"])
    guard case .outdated = try await shown.restore(from: archive) else {
      Issue.record("the second restore was not outdated")
      return
    }
    await shown.open()

    let confirmed = Notes()
    await confirmed.open()
    await confirmed.perform(.add("tea", 0))
    guard case .outdated = try await confirmed.restore(from: archive) else {
      Issue.record("a confirmed change was overwritten")
      return
    }
    #expect(confirmed.state.rows == ["tea"])

    let failed = Notes(refusing: ["tea"])
    await failed.open()
    await failed.perform(.add("tea", 0))
    await failed.commit(error: Broken(), from: .add("tea", 0))
    #expect(failed.state.message == "refused")
    guard case .state = try await failed.restore(from: archive) else {
      Issue.record("a shown error counted as a commit")
      return
    }
    #expect(failed.state.rows == ["saved"])
  }

  @Test("O15, O18: an undo or a restore during a load stays in effect after the load")
  func undone() async {
    let notes = Notes()
    let history = UndoHistory(of: notes, restoring: \.rows)
    notes.send(.load(["a"], 0))
    await notes.gates[0].hasArrived(1)
    await notes.commit(row: "b")
    #expect(await notes.undo(history))
    notes.gates[0].open()
    await waitWhile(await notes.keptCount > 0)
    #expect(notes.state.rows == [] && history.state.undoCount == 0 && history.state.redoCount == 1)

    notes.send(.load(["a"], 1))
    await notes.gates[1].hasArrived(1)
    await notes.commit(row: "c")
    await notes.restore(.init(rows: ["mine"]))
    notes.gates[1].open()
    await waitWhile(await notes.keptCount > 0)
    #expect(notes.state.rows == ["mine"])
    #expect(history.state.undoCount == 1, "a load and a restore are not steps")
  }

  @Test(
    "O15: the next successful load does not remove a change's error")
  func failures() async {
    await exploreContract(seeds: 500) {
      let notes = Notes(refusing: ["tea"])
      notes.send(.load(["a"], 1))
      notes.send(.add("tea", 0))
      await untilIdle()
      notes.gates[0].open()
      await untilIdle()
      try hold(notes.state.message == "refused", "\(notes.state)")
      await notes.open()
      await untilIdle()
      try hold(notes.state == .init(rows: ["a"], message: "refused"), "\(notes.state)")
    }
  }

  @Test("O15: an older load that is answered after a newer load has failed removes the error")
  func failedLoad() async {
    let notes = Notes(refusing: ["b"])
    async let older: Void = notes.dispatch(.load(["a"], 0))
    await notes.gates[0].hasArrived(1)
    async let newer: Void = notes.dispatch(.load(["b"], 1))
    await notes.gates[1].hasArrived(1)
    await notes.commit(row: "mine")
    notes.gates[1].open()
    await newer
    #expect(notes.state == .init(rows: ["mine"], message: "refused"))
    notes.gates[0].open()
    await older
    #expect(notes.state == .init(rows: ["a", "mine"], message: ""))
  }

  #if DEBUG && (os(macOS) || os(Linux))
    @Test("O15: a debug build warns once about a response that hides a change, and names the fix")
    func hidden() async throws {
      let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        for _ in 1...2 {
          let notes = Notes()
          notes.send(.add("tea", 0))
          await notes.gates[0].hasArrived(1)
          let rows = (1...100).map { "milk \($0)" }
          for _ in 1...2 { await notes.commit(from: .add("all", 1)) { .loaded(rows) } }
          #expect(notes.state.rows == rows)
        }
      }
      #expect(result.says("Notes: loaded([\"milk 1\", ") && result.says("use 'load', which"))
      #expect(result.says("…, a response that 'commit' has applied, hides a pending"))
      let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
      #expect(text.ranges(of: "hides a pending").count == 1)
    }

    @Test(
      "O15: the first request of an opticle whose state is a class traps", arguments: [true, false])
    func classAsState(isExpecting: Bool) async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        [isExpecting] in
        final class Items: Sendable {}
        actor Probe: Opticle {
          let knot = Knot(Items())
          func expectation(for request: Int) -> Int? { request == 1 ? 1 : nil }
          func dispatch(_ request: Int) async {
            if request == 2 { await commit(from: request) { request } }
          }
          func mutate(_ state: inout Items, response: Int) {}
          func recover(_ state: inout Items, request: Int, error: any Error) {}
        }
        await Probe().perform(isExpecting ? 1 : 2)
      }
      let words =
        "Probe: needs a state that is not a class, because a request's change may be removed or applied again"
      #expect(result.says(words) && result.says("got the class Items"))
    }

    @Test("O15: a response that is applied again to a state with a NaN is not reported as a change")
    func notANumber() async {
      await #expect(processExitsWith: .success) {
        actor Probe: Opticle {
          struct State: Sendable, Equatable { var title = "", temperature = Double.nan }
          let knot = Knot(State())
          func dispatch(_ request: String) async {
            await commit(from: request, expecting: request) {}
          }
          func mutate(_ state: inout State, response: String) { state.title = response }
          func recover(_ state: inout State, request: String, error: any Error) {}
        }
        let probe = Probe()
        await probe.perform("x")
        #expect(probe.state.title == "x")
      }
    }
  #endif
}
