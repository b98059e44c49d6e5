import AsyncKnotTesting
import TestSupport
import Testing

@testable import AsyncOptical

/// Tests handlers that cancel a request and return before the request's operation ends.
@Suite struct AbandonedRequestTests {
  /// How the operation reacts to its cancellation.
  enum Service: CaseIterable, Sendable { case obeys, ignores }

  /// How the handler abandons the request: with a timeout, or in a task that it cancels.
  enum Way: CaseIterable, Sendable { case timeout, task }

  actor Desktop: Opticle {
    struct State: Sendable, Equatable { var rows: [Int] = [], isLoading = false }
    struct Request: Sendable, Identifiable {
      var id: Int
      var policy: DispatchPolicy
      var expected: Int?
      var work: @Sendable (isolated Desktop, Request) async -> Void
    }
    enum Response: Sendable, Equatable { case row(Int), loading }

    let knot = Knot(State())
    let gate = Gate()

    nonisolated func policy(for request: Request) -> DispatchPolicy { request.policy }
    func expectation(for request: Request) -> Response? { request.expected.map { .row($0) } }
    func dispatch(_ request: Request) async { await request.work(self, request) }
    func mutate(_ state: inout State, response: Response) {
      switch response {
      case .row(let row): if !state.rows.contains(row) { state.rows.append(row) }
      case .loading: state.isLoading = true
      }
    }
    func recover(_ state: inout State, request: Request, error: any Error) { state.rows.append(-1) }

    func serve(_ service: Service) async throws {
      switch service {
      case .obeys: try await Task.sleep(for: .seconds(100))
      case .ignores: await gate.wait()
      }
    }

    func load(_ request: Request, from service: Service) async {
      await load(from: request, showing: .loading) {
        try await serve(service)
        return .row(2)
      }
    }

    /// Begins a request, cancels it after a second, and returns.
    func leave(_ way: Way, _ request: @escaping @Sendable () async -> Void) async {
      switch way {
      case .timeout: try? await withTimeout(.seconds(1), request)
      case .task:
        let task = Task { await request() }
        try? await Task.sleep(for: .seconds(1))
        task.cancel()
      }
    }

    nonisolated func add(_ service: Service, _ way: Way, under policy: DispatchPolicy) -> Request {
      Request(id: 1, policy: policy, expected: 1) { desk, request in
        await desk.leave(way) {
          await desk.commit(expectationFor: request) { try await desk.serve(service) }
        }
      }
    }

    nonisolated func load(_ service: Service, _ way: Way, under policy: DispatchPolicy) -> Request {
      Request(id: 2, policy: policy) { desk, request in
        await desk.leave(way) {
          await desk.load(request, from: service)
        }
      }
    }

    /// Whether the log is idle: it keeps no changes and awaits no load.
    var isAtRest: Bool { unsafe desk.log.isIdle }
  }

  @Test(
    "O15: if a handler cancels its request, the request's change is removed before the id's next request starts",
    arguments: Service.allCases, Way.allCases)
  func removedBeforeTheNext(service: Service, way: Way) async {
    await exploreContract(seeds: 500) {
      let (desk, seen) = (Desktop(), Log<[Int]>())
      desk.send(desk.add(service, way, under: .serial("rows")))
      await desk.perform(
        .init(id: 3, policy: .serial("rows")) { desk, _ in seen.append(desk.state.rows) })
      try hold(seen.all == [[]], "the next request saw \(seen.all)")
      try hold(await desk.isAtRest, "the log still contains the change")
      desk.gate.open()
      await untilIdle()
      try hold(desk.state == .init(), "\(desk.state)")
    }
  }

  @Test(
    "O14, O15, O20: if a handler cancels its load, the message fails, and neither a spinner nor a fresh response remains",
    arguments: Service.allCases, Way.allCases)
  func failedAndNotFresh(service: Service, way: Way) async {
    await exploreContract(seeds: 500) {
      let desk = Desktop()
      let load = desk.load(service, way, under: .exclusive("rows", freshFor: .seconds(60)))
      for _ in 0..<2 {
        let outcome = await desk.perform(load)
        guard case .failed(let error) = outcome, error is CancellationError else {
          throw Violation(description: "\(outcome)")
        }
        try hold(desk.state == .init(), "\(desk.state)")
        try hold(await desk.isAtRest, "the log still waits for the load")
      }
      desk.gate.open()
      await untilIdle()
      try hold(desk.state == .init(), "\(desk.state)")
    }
  }

  @Test(
    "O19: if a handler cancels an item's request, the outbox keeps the item",
    arguments: Service.allCases, Way.allCases)
  func itemIsKept(service: Service, way: Way) async {
    await exploreContract(seeds: 500) {
      let (desk, storage) = (Desktop(), Memory())
      let outbox = try await Outbox<OutboxBench.Item>(
        of: desk, storage: storage, encode: OutboxBench.encode, decode: OutboxBench.decode,
        request: { _ in desk.add(service, way, under: .serial("rows")) })
      try await outbox.send(OutboxBench.Item(id: 1, text: "a"))
      for await state in outbox.states where state.isPaused || state.waiting.isEmpty { break }
      try hold(outbox.state.waiting.map(\.id) == [1], "\(outbox.state)")
      try hold(desk.state == .init(), "\(desk.state)")
      try hold(storage.text == OutboxBench.text("1 a"), "\(storage.text ?? "-")")
      desk.gate.open()
    }
  }

  @Test(
    "O15: a cancelled load ends at once, whether its handler has returned or its dispatch was called directly"
  )
  func cancelledLater() async {
    await exploreContract(seeds: 500) {
      let (desk, left) = (Desktop(), Log<Task<Void, Never>>())
      let inTask = Desktop.Request(id: 1, policy: .concurrent) { desk, request in
        left.append(Task { await desk.load(request, from: .ignores) })
      }
      let inHandler = Desktop.Request(id: 2, policy: .concurrent) { desk, request in
        await desk.load(request, from: .ignores)
      }
      await desk.perform(inTask)
      left.append(Task { await desk.dispatch(inHandler) })
      await desk.gate.hasArrived(2)
      try hold(desk.state.isLoading, "\(desk.state)")
      for task in left.all { task.cancel() }
      for await state in desk.states where !state.isLoading { break }
      try hold(await desk.isAtRest, "the log still waits for a load")
      desk.gate.open()
      await untilIdle()
      try hold(desk.state == .init(), "\(desk.state)")
    }
  }

  @Test(
    "O15: a cancelled request's change is removed before the next request starts, even if the handler commits in between"
  )
  func commitAfterCancellation() async {
    await exploreContract(seeds: 2_000) {
      let (desk, seen, gate, last) = (Desktop(), Log<[Int]>(), Gate(), Gate())
      let policy = DispatchPolicy.serial("rows", atMost: 2)
      desk.send(
        .init(id: 1, policy: policy) { desk, request in
          let task = Task {
            await desk.commit(from: request, expecting: .row(1)) { try await desk.serve(.ignores) }
          }
          await desk.gate.hasArrived(1)
          gate.open()
          await Task.yield()
          task.cancel()
          desk.commit(.row(5))
          await last.wait()
        })
      desk.send(.init(id: 2, policy: policy) { _, _ in await gate.wait() })
      await desk.perform(
        .init(id: 3, policy: policy) { desk, _ in
          if desk.state.rows.contains(5) { seen.append(desk.state.rows) }
        })
      sometimes("the third request starts after the cancellation", !seen.all.isEmpty)
      try hold(seen.all.allSatisfy { $0 == [5] }, "the next request saw \(seen.all)")
      await untilIdle()
      last.open()
      desk.gate.open()
      await untilIdle()
      try hold(desk.state.rows == [5], "\(desk.state)")
    }
  }

  @Test(
    "O14: a message with a response ends with .carriedOut, even if its handler cancelled another commit",
    arguments: [true, false])
  func answeredAndCancelled(isAnsweredFirst: Bool) async {
    await exploreContract(seeds: 500) {
      let desk = Desktop()
      let outcome = await desk.perform(
        .init(id: 1, policy: .serial("rows")) { desk, request in
          if isAnsweredFirst { await desk.commit(from: request, expecting: .row(2)) {} }
          await desk.leave(.task) {
            await desk.commit(from: request, expecting: .row(1)) { try await desk.serve(.ignores) }
          }
          if !isAnsweredFirst { await desk.commit(from: request, expecting: .row(2)) {} }
        })
      try hold(outcome == .carriedOut, "\(outcome)")
      try hold(desk.state.rows == [2], "\(desk.state)")
      desk.gate.open()
    }
  }

  @Test(
    "O15: if a sent message leaves a task behind, cancelling the task removes the task's change")
  func leftBehind() async {
    await exploreContract(seeds: 500) {
      let (desk, left) = (Desktop(), Log<Task<Void, Never>>())
      desk.send(
        .init(id: 1, policy: .concurrent) { desk, request in
          left.append(Task { await desk.load(request, from: .ignores) })
        })
      await desk.gate.hasArrived(1)
      desk.send(.init(id: 2, policy: .concurrent) { desk, _ in desk.commit(.row(2)) })
      left.all[0].cancel()
      for await state in desk.states where !state.isLoading && state.rows == [2] { break }
      try hold(await desk.isAtRest, "the log still waits for the load")
      desk.gate.open()
    }
  }

  @Test("O15: cancelling a request of a superseded message adds nothing to the mailbox")
  func supersededPostsNothing() async {
    let desk = Desktop()
    await desk.supersede()
    #expect(desk.desk.mailbox.count == 0)
    #expect(desk.desk.recalls.withLock { $0.requests.isEmpty })
  }
}

extension AbandonedRequestTests.Desktop {
  /// Recalls a request of a message that was superseded.
  fileprivate func supersede() {
    let letter = Letter(for: desk.number, of: Runner(at: .medium))
    _ = letter.close(isRevoked: true)
    desk.recall(Ticket(place: 1, isLoad: false), of: letter, from: self)
  }
}
