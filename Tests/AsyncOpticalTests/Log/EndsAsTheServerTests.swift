@testable import AsyncOptical

/// A server takes requests in the order sent, answers them in any order and refuses some, while its client
/// loads at any moment.
@Suite struct EndsAsTheServerTests {
  fileprivate enum Change: Sendable, Equatable {
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

  fileprivate struct List: Sendable, Equatable {
    var title = ""
    var rows: Set<Int> = []
  }

  /// A request in transit.
  ///
  /// The test decides when the server takes the request, and when the response arrives.
  fileprivate final class Call: Sendable {
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

  fileprivate enum Kind: CaseIterable { case plain, expecting, waiting }

  /// A client whose requests are enum cases.
  private actor CaseClient: Client {
    enum Request: Sendable { case load(Call), expecting(Call), plain(Call), waiting(Call) }
    enum Response: Sendable { case loaded(List), changed(Change) }
    let knot = Knot(List())

    nonisolated func send(_ call: Call, _ change: Change, _ kind: Kind) {
      switch kind {
      case .plain: send(.plain(call))
      case .expecting: send(.expecting(call))
      case .waiting: send(.waiting(call))
      }
    }
    nonisolated func sendLoad(_ call: Call) { send(.load(call)) }

    func dispatch(_ request: Request) async {
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
      case .waiting(let call): await commit(expectationFor: request) { _ = try await call.answer() }
      }
    }

    func expectation(for request: Request) -> Response? {
      if case .waiting(let call) = request, let change = call.change {
        .changed(change)
      } else {
        nil
      }
    }

    func mutate(_ state: inout List, response: Response) {
      switch response {
      case .loaded(let list): state = list
      case .changed(let change): change(&state)
      }
    }

    func recover(_ state: inout List, request: Request, error: any Error) {}
  }

  /// A client whose requests are values.
  private actor ValueClient: Client {
    typealias Request = Work<ValueClient>
    typealias Response = EndsAsTheServerTests.Edit
    let knot = Knot(List())

    nonisolated func send(_ call: Call, _ change: Change, _ kind: Kind) {
      switch kind {
      case .plain:
        send(
          Work { client in
            await client.commit {
              try await call.answer()
            } mutate: { state, _ in
              change(&state)
            } recover: { _, _ in
            }
          })
      case .expecting:
        send(
          Work { client in
            await client.commit(expecting: { change(&$0) }) {
              _ = try await call.answer()
            } recover: { _, _ in
            }
          })
      case .waiting:
        send(
          Work(expecting: { change(&$0) }) { _ in
            _ = try await call.answer()
          } recover: { _, _ in
          })
      }
    }
    nonisolated func sendLoad(_ call: Call) {
      send(
        Work { client in
          await client.load {
            try await call.answer()
          } mutate: {
            $0 = $1
          } recover: { _, _ in
          }
        })
    }
  }

  fileprivate typealias Edit = AsyncOptical.Change<List>

  /// Plays a round with a client; `choose` draws a number below its argument.
  private static func play(_ client: some Client, choose: (Int) -> Int) async throws {
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
        let (call, kind) = (Call(step, change), Kind.allCases[choose(3)])
        let edit: @Sendable (inout List) -> Void = { change(&$0) }
        places[call.number] = model.begin(expecting: kind == .plain ? nil : edit)
        if kind != .plain { isExpected.insert(call.number) }
        client.send(call, change, kind)
        unsent.append(call)
      case 3:
        let call = Call(step, nil)
        loads[call.number] = model.beginLoad()
        client.sendLoad(call)
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
    try hold(
      client.state == server, "the client ends with \(client.state), the server with \(server)")
    let (isAtRest, confirmed) = (await client.isAtRest, await client.confirmed.state)
    try hold(isAtRest && confirmed == server, "confirmed \(confirmed)")
  }

  @Test("O15: the client ends with the server's state, and matches the model at each step")
  func endsAsTheServer() async {
    await exploreContract(seeds: 10_000) {
      try await Self.play(CaseClient()) { choose("step", from: 0..<$0) }
    }
  }

  @Test("O15: a client whose requests are values also ends with the server's state")
  func requestsAsValues() async {
    await exploreContract(seeds: 10_000) {
      try await Self.play(ValueClient()) { choose("step", from: 0..<$0) }
    }
  }

  /// A server that takes requests in the order sent, and answers each after some yields.
  private actor Server {
    private(set) var list = List()

    func call(_ change: Change?, yields: Int = 1) async -> List {
      change?(&list)
      let answer = list
      for _ in 0..<yields { await Task.yield() }
      return answer
    }
  }

  private actor ServedClient: Opticle {
    enum Request: Sendable { case load, expecting(Change, Int), plain(Change, Int) }
    enum Response: Sendable { case loaded(List), changed(Change) }
    let knot = Knot(List())
    let server = Server()

    func dispatch(_ request: Request) async {
      switch request {
      case .load: await load(from: request) { .loaded(await server.call(nil)) }
      case .expecting(let change, let yields):
        await commit(from: request, expecting: .changed(change)) {
          _ = await server.call(change, yields: yields)
        }
      case .plain(let change, let yields):
        await commit(from: request) {
          _ = await server.call(change, yields: yields)
          return .changed(change)
        }
      }
    }
    func mutate(_ state: inout List, response: Response) {
      switch response {
      case .loaded(let list): state = list
      case .changed(let change): change(&state)
      }
    }
    func recover(_ state: inout List, request: Request, error: any Error) {}
  }

  @Test(
    "O15: two changes and a load end with the server's state in every schedule with at most one forced switch"
  )
  func everyOrder() async {
    await exploreContract(seeds: 500, every: .scheduleWithPreemptions(1)) {
      let client = ServedClient()
      for request in [
        ServedClient.Request.expecting(.add(1), 2), .load, .plain(.title("a"), 1),
      ] { client.send(request) }
      await untilIdle()
      let list = await client.server.list
      try hold(client.state == list, "\(client.state), the server has \(list)")
    }
  }

  @Test(
    "O15: on real threads, the client ends with the server's state",
    arguments: 0..<20 as Range<UInt64>)
  func threads(seed: UInt64) async {
    let client = ServedClient()
    await withDiscardingTaskGroup { group in
      for sender in 0..<4 {
        group.addTask {
          var generator = SeededGenerator(seed: seed * 4 + UInt64(sender))
          for step in 0..<50 {
            let row = Int.random(in: 0..<4, using: &generator)
            let change: Change = [.title("\(sender) \(step)"), .add(row), .delete(row), .clear][
              Int.random(in: 0..<4, using: &generator)]
            let yields = Int.random(in: 0..<5, using: &generator)
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: client.send(.load)
            case 1: client.send(.plain(change, yields))
            default: await client.perform(.expecting(change, yields))
            }
          }
        }
      }
    }
    await client.perform(.load)
    await waitWhile(await client.pendingCount > 0)
    await waitWhile(await !client.isAtRest)
    let list = await client.server.list
    #expect(client.state == list)
  }
}

/// A client of the simulation.
private protocol Client: Opticle where State == EndsAsTheServerTests.List {
  nonisolated func send(
    _ call: EndsAsTheServerTests.Call, _ change: EndsAsTheServerTests.Change,
    _ kind: EndsAsTheServerTests.Kind)
  nonisolated func sendLoad(_ call: EndsAsTheServerTests.Call)
}

extension Opticle {
  fileprivate var isAtRest: Bool { unsafe desk.log.isIdle }
}
