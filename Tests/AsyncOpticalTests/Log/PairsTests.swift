@testable import AsyncOptical

/// Bugs occur where two features interact around an `await`, so these tests combine each feature with itself and with every other
/// feature, in many schedules.
@Suite struct PairsTests {
  enum Feature: String, CaseIterable, Sendable {
    case expected, commit, load, showing, undo, restore, restoreFromArchive, follow, retry, timeout
    case cancelByID, cancelBag, supersession, queue, sharing, holderEnds
  }

  private actor Server {
    private(set) var rows: Set<Int> = [0]
    func add(_ row: Int) async {
      rows.insert(row)
      await Task.yield()
    }
    func all() async -> Set<Int> {
      let read = rows
      await Task.yield()
      return read
    }
  }

  private actor Board: Opticle {
    struct State: Sendable, Equatable {
      var rows: Set<Int> = [], text = "", taps = 0, isLoading = false, failures = 0
    }
    enum Request: Sendable, Equatable {
      case load, spin, add(Int), queued(Int), latest(Int), shared(Int), patient(Int), hasty, type(
        String)
    }
    enum Response: Sendable { case loading, loaded(Set<Int>), added(Int), typed(String), tapped }

    let knot = Knot(State())
    let clock = TestClock()
    let server: Server
    let attempts = Shared(0)

    init(_ server: Server) { self.server = server }

    func dispatch(_ request: Request) async {
      switch request {
      case .load: await load(from: request) { .loaded(await server.all()) }
      case .spin: await load(from: request, showing: .loading) { .loaded(await server.all()) }
      case .add(let row), .latest(let row):
        await commit(from: request, expecting: .added(row)) { await server.add(row) }
      case .queued(let row), .shared(let row):
        await commit(expectationFor: request) { await server.add(row) }
      case .patient(let row):
        await commit(from: request, expecting: .added(row)) {
          try await retry(.exponential(attempts: 3), timeout: .seconds(1)) { [server, attempts] in
            attempts.value += 1
            if attempts.value % 3 != 0 { throw Broken() }
            await server.add(row)
          }
        }
      case .hasty:
        await commit(from: request, expecting: .added(-1)) {
          try await withTimeout(.milliseconds(10)) { [clock] in
            try await clock.sleep(for: .seconds(60))
          }
        }
      case .type(let text):
        commit(.typed(text))
        commit(.tapped)
      }
    }

    func expectation(for request: Request) -> Response? {
      switch request {
      case .queued(let row), .shared(let row): .added(row)
      default: nil
      }
    }

    func mutate(_ state: inout State, response: Response) {
      switch response {
      case .loading: state.isLoading = true
      case .loaded(let rows): state.rows = rows
      case .added(let row): state.rows.insert(row)
      case .typed(let text): state.text = text
      case .tapped: state.taps += 1
      }
    }
    func recover(_ state: inout State, request: Request, error: any Error) { state.failures += 1 }

    nonisolated func policy(for request: Request) -> DispatchPolicy {
      switch request {
      case .queued: .serial("queue")
      case .latest: .latest("latest")
      case .shared: .exclusive("shared")
      case .load, .spin, .add, .patient, .hasty, .type: .concurrent
      }
    }
    nonisolated var mailboxPolicy: MailboxPolicy { .newest(3) }
    var isAtRest: Bool { unsafe desk.log.isIdle }
  }

  /// The objects of one round.
  private final class Round: Sendable {
    let server = Server()
    let board: Board
    let memory = Memory("AsyncKnot state 1\n")
    let archive: StateArchive<Board.State>
    let history: UndoHistory<Board>
    let saving = TaskBag()

    init() {
      board = Board(server)
      history = UndoHistory(of: board, restoring: \.text)
      archive = StateArchive(
        storage: memory, encode: { Array("\($0.taps)".utf8) },
        decode: { _ in .init(rows: [7], text: "saved") })
    }

    func play(_ feature: Feature, _ row: Int) async throws {
      switch feature {
      case .expected: await board.perform(.add(row))
      case .commit: await board.perform(.type("\(row)"))
      case .load: await board.perform(.load)
      case .showing: await board.perform(.spin)
      case .undo:
        await board.perform(.type("\(row)"))
        if await board.undo(history) { await board.redo(history) }
      case .restore:
        let earlier = await board.confirmed.state
        await Task.yield()
        await board.restore(earlier)
      case .restoreFromArchive: _ = try await board.restore(from: archive)
      case .follow:
        let entry = archive.follow(await board.confirmed, in: saving) { _ in }
        await Task.yield()
        entry.cancel()
      case .retry: await board.perform(.patient(row))
      case .timeout: await board.perform(.hasty)
      case .cancelByID:
        for number in 0..<2 { board.send(.queued(row + number)) }
        await Task.yield()
        board.cancel("queue")
      case .cancelBag:
        board.send(.add(row))
        await Task.yield()
        board.knot.bag.cancel()
      case .supersession:
        board.send(.latest(row))
        await Task.yield()
        await board.perform(.latest(row + 1))
      case .queue: for number in 0..<5 { board.send(.queued(row + number)) }
      case .sharing:
        let caller = Task { await board.perform(.shared(row)) }
        await Task.yield()
        caller.cancel()
        await board.perform(.shared(row + 1))
      case .holderEnds:
        var other: Board? = Board(server)
        other?.send(.queued(row))
        other?.send(.load)
        let confirmed = await other?.confirmed
        await Task.yield()
        other = nil
        if let confirmed { for await _ in confirmed.states {} }
      }
    }

    /// Throws unless everything is settled, and a final load finds the rows of the server.
    func check() async throws {
      await untilIdle()
      for _ in 0..<100 where await !board.isAtRest { try await Task.sleep(for: .seconds(1)) }
      let (isAtRest, pending) = await (board.isAtRest, board.pendingCount)
      try hold(isAtRest && pending == 0, "\(pending) pending, \(board.state)")
      let (state, confirmed) = (board.state, await board.confirmed.state)
      try hold(state == confirmed, "shown \(state), confirmed \(confirmed)")
      try hold(!state.isLoading && !state.rows.contains(-1), "\(state)")
      let rows = await server.rows
      try hold(
        state.rows.isSubset(of: rows.union([7])),
        "\(state) has rows that the server does not have: \(rows)")
      await board.perform(.load)
      try hold(board.state.rows == rows, "after a load \(board.state), the server has \(rows)")
    }
  }

  @Test(
    "O15: with each pair of features, no change stays pending, is lost or comes back",
    arguments: Feature.allCases)
  func pairs(first: Feature) async {
    for second in Feature.allCases where second.rawValue >= first.rawValue {
      await exploreContract(seeds: 200) {
        let round = Round()
        async let one: Void = round.play(first, 10)
        async let two: Void = round.play(second, 20)
        _ = try await (one, two)
        try await round.check()
      }
    }
  }
}
