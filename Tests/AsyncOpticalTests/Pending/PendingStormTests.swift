import AsyncKnot
import AsyncKnotTesting
import TestSupport
import Testing

@testable import AsyncOptical

/// An opticle that shows an expected response under each policy.
private actor Shelf: Opticle {
  struct State: Sendable, Equatable { var rows: Set<Int> = [], failures = 0 }

  struct Request: Sendable {
    enum Kind: CaseIterable, Sendable {
      case concurrent, serial, two, latest, exclusive, debounced, throttled
    }
    let kind: Kind
    let row: Int
    var isRefused = false
    var gate: Gate?
  }

  let knot = Knot(State())
  nonisolated let mailboxPolicy: MailboxPolicy
  private(set) var stored: Set<Int> = []

  init(_ mailboxPolicy: MailboxPolicy = .unbounded) { self.mailboxPolicy = mailboxPolicy }

  func dispatch(_ request: Request) async {
    await commit(expectationFor: request) {
      try await Task.sleep(for: .milliseconds(2))
      await request.gate?.wait()
      if request.isRefused { throw Broken() }
      stored.insert(request.row)
    }
  }

  func expectation(for request: Request) -> Int? { request.row }
  func mutate(_ state: inout State, response: Int) { state.rows.insert(response) }
  func recover(_ state: inout State, request: Request, error: any Error) { state.failures += 1 }

  nonisolated func policy(for request: Request) -> DispatchPolicy {
    switch request.kind {
    case .concurrent: .concurrent
    case .serial: .serial("id")
    case .two: .serial("two", atMost: 2)
    case .latest: .latest("id")
    case .exclusive: .exclusive("id")
    case .debounced: .debounced("id", for: .milliseconds(1))
    case .throttled: .throttled("id", for: .milliseconds(3))
    }
  }

  /// Throws unless nothing is pending and the service has stored every row that is shown.
  func holdSettled() throws {
    try hold(pendingCount == 0, "\(pendingCount) pending, \(state)")
    try hold(confirmed.state == state, "confirmed \(confirmed.state), shown \(state)")
    try hold(state.rows.isSubset(of: stored), "shown \(state.rows), stored \(stored)")
  }
}

@Suite struct PendingStormTests {
  @Test(
    "O15: no change stays pending, regardless of policies, cancellations and full mailboxes",
    arguments: [MailboxPolicy.unbounded, .oldest(2), .newest(2)])
  func storm(mailboxPolicy: MailboxPolicy) async {
    await exploreContract(seeds: 1_000) {
      let shelf = Shelf(mailboxPolicy)
      await withDiscardingTaskGroup { group in
        for (index, kind) in Shelf.Request.Kind.allCases.enumerated() {
          group.addTask {
            for row in 1...3 { shelf.send(.init(kind: kind, row: index * 10 + row)) }
            await shelf.perform(.init(kind: kind, row: index * 10 + 4, isRefused: true))
          }
        }
        group.addTask {
          await Task.yield()
          shelf.cancel("id")
        }
        group.addTask {
          let caller = Task { await shelf.perform(.init(kind: .exclusive, row: 90)) }
          await Task.yield()
          caller.cancel()
          _ = await caller.value
        }
      }
      await untilIdle()
      try await Task.sleep(for: .milliseconds(50))
      try await shelf.holdSettled()
      guard mailboxPolicy == .unbounded else { return }
      sometimes("a save fails", shelf.state.failures > 0)
      sometimes("some rows are stored", await shelf.stored.count > 4)
    }
  }

  @Test("O15: a request whose task another thread cancels leaves nothing pending")
  func cancelledFromAnotherThread() async throws {
    let shelf = Shelf()
    for row in 1...200 {
      let task = Task.detached(priority: row % 2 == 0 ? .high : .background) {
        await shelf.dispatch(.init(kind: .concurrent, row: row))
      }
      if row % 3 == 0 { await Task.yield() }
      task.cancel()
      await task.value
    }
    try await shelf.holdSettled()
  }

  /// An opticle that calls a closure and commits before it returns the expectation of the request "a".
  private actor Echo: Opticle {
    let knot = Knot<[String]>([])
    let gate = Gate()
    private let ask: @Sendable (isolated Echo) -> Void
    init(_ ask: @escaping @Sendable (isolated Echo) -> Void) { self.ask = ask }
    nonisolated func policy(for request: String) -> DispatchPolicy { .serial("id") }
    func dispatch(_ request: String) async {
      if request == "held" { await gate.wait() }
      await commit(expectationFor: request) {}
    }
    func expectation(for request: String) -> String? {
      guard request == "a" else { return nil }
      ask(self)
      commit("asked")
      return request
    }
    func mutate(_ state: inout [String], response: String) {
      if !state.contains(response) { state.append(response) }
    }
    func recover(_ state: inout [String], request: String, error: any Error) {}
  }

  @Test(
    "O15: expectation(for:) may commit and send, and the change that it returns follows its commit"
  )
  func expectationThatCommits() async {
    let echo = Echo { $0.send("b") }
    await echo.perform("c")
    await echo.perform("a")
    #expect(echo.state == ["asked", "a"])
    #expect(await echo.pendingCount == 0)
  }

  @Test("O15, O3: a message that is cancelled while its expectation is computed shows nothing")
  func cancelledByItsExpectation() async {
    let echo = Echo { $0.cancel("id") }
    echo.send("held")
    await echo.gate.hasArrived(1)
    #expect(await echo.perform("a") == .dropped)
    echo.gate.open()
    await waitWhile(echo.desk.unfinishedCount > 0)
    #expect(echo.state == ["asked"])
    #expect(await echo.pendingCount == 0)
  }

  @Test(
    "O18: an undo that a history's predicate calls takes back one step, and is itself not a step")
  func undoInAPredicate() async {
    let worker = Worker()
    let inner = UndoHistory(of: worker, restoring: \.done)
    let outer = UndoHistory(of: worker, restoring: \.done) { cause in
      if case .response(13) = cause { _ = worker.assumeIsolated { $0.undo(inner) } }
      return true
    }
    for number in [1, 13] { await worker.commit(number) }
    #expect(worker.state.done == [1])
    #expect(inner.state.undoCount == 1 && inner.state.redoCount == 1)
    #expect(outer.state.undoCount == 2)
    #expect(await worker.undo(outer))
    #expect(worker.state.done == [])
  }

  @Test("O15: generic code over opticles sees pending changes")
  func generic() async {
    func perform<O: Opticle>(_ request: O.Request, on opticle: O) async -> DispatchOutcome {
      await opticle.perform(request)
    }
    func pendingCounts(_ opticle: some Opticle) async -> [Int] {
      let erased: any Opticle = opticle
      return [await opticle.pendingCount, await erased.pendingCount]
    }
    let (shelf, gate) = (Shelf(), Gate())
    async let outcome = perform(.init(kind: .latest, row: 1, gate: gate), on: shelf)
    await gate.hasArrived(1)
    #expect(await pendingCounts(shelf) == [1, 1])
    gate.open()
    #expect(await outcome == .carriedOut)
    #expect(await pendingCounts(shelf) == [0, 0])
  }
}
