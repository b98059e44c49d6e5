import AsyncKnotTesting
@testable import AsyncOptical
import TestSupport

/// Rows on a server, where each read and each write is one step, and other requests can run between two steps.
actor BoardServer {
  private(set) var rows: [Int]
  private let refused: Set<Int>

  init(_ rows: [Int] = [], refusing refused: Set<Int> = []) {
    (self.rows, self.refused) = (rows, refused)
  }

  func add(_ row: Int) throws {
    if refused.contains(row) { throw Broken() }
    rows.append(row)
  }
}

/// An opticle that shows each added row before the server has it.
actor Board: Opticle {
  struct State: Sendable, Equatable {
    var rows: [Int] = []
    var title = ""
    var isLoading = false
    var failed: [Request] = []
  }

  enum Request: Sendable, Hashable {
    case load, add(Int), addBetter(Int), queued(Int), forget(Int), only(Int), hang(Int)
    case rename(String)
  }

  enum Response: Sendable, Equatable { case loading, loaded([Int]), added(Int), renamed(String) }

  let knot: Knot<State>
  let server: BoardServer
  nonisolated let mailboxPolicy: MailboxPolicy
  /// The number of times that a response was applied.
  let applied = Shared(0)

  init(
    _ server: BoardServer = BoardServer(), _ state: State = State(),
    mailboxPolicy: MailboxPolicy = .unbounded
  ) {
    (self.server, knot, self.mailboxPolicy) = (server, Knot(state), mailboxPolicy)
  }

  func dispatch(_ request: Request) async {
    switch request {
    case .load:
      await load(from: request, showing: .loading) { [server] in .loaded(await server.rows) }
    case .add(let row), .only(let row):
      await commit(from: request, expecting: .added(row)) { [server] in try await server.add(row) }
    case .addBetter(let row):
      await commit(from: request) { [server] in
        try await server.add(row + 100)
        return .added(row + 100)
      }
    case .queued(let row):
      await commit(expectationFor: request) { [server] in try await server.add(row) }
    case .hang(let row):
      await commit(from: request, expecting: .added(row)) {
        for _ in 1...3 { try await Task.sleep(for: .seconds(3)) }
      }
    case .forget: break
    case .rename(let title): commit(.renamed(title))
    }
  }

  func expectation(for request: Request) -> Response? {
    switch request {
    case .queued(let row), .forget(let row), .addBetter(let row): .added(row)
    default: nil
    }
  }

  func mutate(_ state: inout State, response: Response) {
    applied.value += 1
    switch response {
    case .loading: state.isLoading = true
    case .loaded(let rows): (state.rows, state.title) = (rows, "loaded")
    case .added(let row): if !state.rows.contains(row) { state.rows.append(row) }
    case .renamed(let title): state.title = title
    }
  }

  func recover(_ state: inout State, request: Request, error: any Error) {
    state.failed.append(request)
  }

  nonisolated func policy(for request: Request) -> DispatchPolicy {
    switch request {
    case .queued, .forget: .serial("queue")
    case .only, .hang: .latest("only")
    case .load, .add, .addBetter, .rename: .concurrent
    }
  }

  /// Whether the log is idle: it keeps no changes and awaits no load.
  var isAtRest: Bool { unsafe desk.log.isIdle }

  /// Whether each commit must consult the log.
  var isLogged: Bool { unsafe desk.isLogged }

  /// Throws unless nothing is pending and the shown state is confirmed.
  func holdSettled() throws {
    try hold(pendingCount == 0, "\(pendingCount) pending, \(state)")
    try hold(confirmed.state == state, "confirmed \(confirmed.state), shown \(state)")
    try hold(!state.isLoading, "still loading")
  }
}
