@testable import AsyncOptical

/// One client beside a server that takes requests in the order sent, answers in any order, refuses some,
/// and is loaded at any moment.
@Suite struct EndsAsTheServerTests {
  private enum Change: Sendable, Equatable {
    case title(String), add(Int), delete(Int), clear

    func callAsFunction(_ list: inout List) {
      switch self {
      case .title(let title): list.title = title
      case .add(let row): list.rows.insert(row)
      case .delete(let row): list.rows.remove(row)
      case .clear: list.rows = []
      }
    }
  }

  private struct List: Sendable, Equatable {
    var title = ""
    var rows: Set<Int> = []
  }

  /// A request on its way: the test says when the server takes it, and when the answer arrives.
  private final class Call: Sendable {
    let number: Int
    let change: Change?
    let sent = Gate()
    private let outcome = Shared(Result<List, any Error>?.none)

    init(_ number: Int, _ change: Change?) { (self.number, self.change) = (number, change) }

    func take(_ server: inout List, isRefused: Bool) {
      if isRefused {
        outcome.value = .failure(Broken())
      } else {
        change?(&server)
        outcome.value = .success(server)
      }
    }

    func answer() async throws -> List {
      await sent.wait()
      guard let outcome = outcome.value else { throw Broken() }
      return try outcome.get()
    }
  }

  /// What the client asks for, each request by its call.
  private enum Ask: Sendable { case load(Call), expecting(Call), plain(Call), waiting(Call) }

  private actor Client: Opticle {
    typealias State = List
    enum Response: Sendable { case loaded(List), changed(Change) }
    let knot = Knot(List())

    func dispatch(_ request: Ask) async {
      switch request {
      case .load(let call): await load(from: request) { .loaded(try await call.answer()) }
      case .expecting(let call):
        guard let change = call.change else { return }
        await commit(from: request, expecting: .changed(change)) { _ = try await call.answer() }
      case .plain(let call):
        guard let change = call.change else { return }
        await commit(from: request) {
          _ = try await call.answer()
          return .changed(change)
        }
      case .waiting(let call): await commit(expectationOf: request) { _ = try await call.answer() }
      }
    }

    func expectation(of request: Ask) -> Response? {
      if case .waiting(let call) = request, let change = call.change { .changed(change) } else { nil }
    }

    func mutate(_ state: inout List, response: Response) {
      switch response {
      case .loaded(let list): state = list
      case .changed(let change): change(&state)
      }
    }

    func recover(_ state: inout List, request: Ask, error: any Error) {}

    var isAtRest: Bool { unsafe desk.log.isIdle }
  }

  /// Plays a round with a client that says how it sends what it is asked for.
  private static func play(_ client: Client, choose: (Int) -> Int) async throws {
    var (server, step) = (List(), 0)
    var (unsent, open): ([Call], [Call]) = ([], [])
    var model = LogModel<List, @Sendable (inout List) -> Void>(List()) { $0(&$1) }
    var loads: [Int: Int] = [:]
    var places: [Int: Int] = [:]
    var isExpected: Set<Int> = []
    var results: [Int: (list: List, isRefused: Bool)] = [:]
    func arrive(_ call: Call) async {
      guard let (list, isRefused) = results[call.number] else { return }
      call.sent.open()
      await untilIdle()
      if let load = loads[call.number] {
        model.answer(load) { $0 = list }
      } else if let place = places[call.number] {
        let change = call.change
        let edit: @Sendable (inout List) -> Void = { change?(&$0) }
        if isRefused {
          model.fail(place, nil)
        } else {
          model.answer(place, isExpected.contains(call.number) ? nil : edit)
        }
      }
    }
    func take(_ call: Call, isRefused: Bool) {
      call.take(&server, isRefused: isRefused)
      results[call.number] = (server, isRefused)
      open.append(call)
    }
    for _ in 0..<(6 + choose(14)) {
      step += 1
      switch choose(8) {
      case 0...2:
        let row = choose(4)
        let change: Change = [.title("\(step)"), .add(row), .delete(row), .clear][choose(4)]
        let (call, kind) = (Call(step, change), choose(3))
        let edit: @Sendable (inout List) -> Void = { change(&$0) }
        places[call.number] = model.begin(expecting: kind == 0 ? nil : edit)
        if kind != 0 { isExpected.insert(call.number) }
        client.send([.plain(call), .expecting(call), .waiting(call)][kind])
        unsent.append(call)
      case 3:
        let call = Call(step, nil)
        loads[call.number] = model.beginLoad()
        client.send(.load(call))
        unsent.append(call)
      case 4, 5:
        guard !unsent.isEmpty else { continue }
        let call = unsent.removeFirst()
        take(call, isRefused: call.change != nil && choose(4) == 0)
      default:
        guard !open.isEmpty else { continue }
        await arrive(open.remove(at: choose(open.count)))
      }
      await untilIdle()
      try hold(client.state == model.shown, "step \(step): \(client.state), not \(model.shown)")
    }
    while !unsent.isEmpty { take(unsent.removeFirst(), isRefused: false) }
    while !open.isEmpty { await arrive(open.remove(at: choose(open.count))) }
    await untilIdle()
    try hold(client.state == server, "in the end \(client.state), the server has \(server)")
    let (isAtRest, confirmed) = (await client.isAtRest, await client.confirmed.state)
    try hold(isAtRest && confirmed == server, "confirmed \(confirmed)")
  }

  @Test("O15: the client ends as the server, and shows at each step what the log's rule says")
  func endsAsTheServer() async {
    await exploreContract(seeds: 10_000) {
      try await Self.play(Client()) { choose("step", from: 0..<$0) }
    }
  }
}
