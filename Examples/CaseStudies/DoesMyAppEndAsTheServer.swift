import AsyncKnotTesting
import AsyncOptical

private enum Edit: Sendable {
  case set(String, Int), remove(String)

  func apply(to amounts: inout [String: Int]) {
    switch self {
    case .set(let item, let amount): amounts[item] = amount
    case .remove(let item): amounts[item] = nil
    }
  }
}

/// A shopping list whose client shows each change immediately.
///
/// Every app that shows changes before its server has them should have the test below. For many orders of requests and responses,
/// the test checks that the client ends with the server's state, even if the server refuses requests or responses are lost.
private actor Shopping: Opticle {
  enum Request: Sendable { case load, edit(Edit) }
  enum Response: Sendable { case loaded([String: Int]), edited(Edit) }

  static let untilLoaded = RetryPolicy(attempts: .max, where: { _ in true }) { _, _ in
    .milliseconds(10)
  }

  let knot = Knot<[String: Int]>([:])
  let server: Server

  init(server: Server) { self.server = server }

  nonisolated func policy(for request: Request) -> DispatchPolicy {
    if case .load = request { .latest("load") } else { .serial("edits") }
  }
  func expectation(for request: Request) -> Response? {
    if case .edit(let edit) = request { .edited(edit) } else { nil }
  }
  func dispatch(_ request: Request) async {
    switch request {
    case .load:
      // A load that gave up would leave the client with a state that the server does not have.
      await load(from: request) {
        .loaded(try await retry(Self.untilLoaded) { [server] in try await server.items() })
      }
    case .edit(let edit):
      let isConfirmed = await commit(expectationFor: request) { [server] in
        try await server.take(edit)
      }
      // If only the response was lost, the server has the edit.
      if !isConfirmed { send(.load) }
    }
  }
  func mutate(_ amounts: inout [String: Int], response: Response) {
    switch response {
    case .loaded(let loaded): amounts = loaded
    case .edited(let edit): edit.apply(to: &amounts)
    }
  }
  func recover(_ amounts: inout [String: Int], request: Request, error: any Error) {}
}

/// A server that handles requests in the order of their arrival, refuses some, and answers after a random delay or not at all.
private actor Server {
  struct Refused: Error {}
  struct NoResponse: Error {}
  private(set) var stock = ["milk": 1], edits = 0

  func items() async throws -> [String: Int] {
    let read = stock
    await wayBack()
    if fault("lost load") { throw NoResponse() }
    return read
  }
  func take(_ edit: Edit) async throws {
    edits += 1
    if fault("refused") { throw Refused() }
    edit.apply(to: &stock)
    await wayBack()
    if fault("lost response") { throw NoResponse() }
  }
  private func wayBack() async {
    let delay = choose(
      "way back", from: [.zero, .milliseconds(20), .milliseconds(50)] as [Duration])
    try? await Task.sleep(for: delay)
  }
}

@Test func clientEndsWithTheServersState() async {
  await explore(seeds: 2_000) {
    let server = Server()
    let shopping = Shopping(server: server)
    let requests: [Shopping.Request] = [
      .load, .edit(.set("tea", 1)), .edit(.set("rice", 2)), .edit(.remove("tea")), .load,
      .edit(.set("milk", 0)), .edit(.set("tea", 3)), .edit(.remove("milk")),
    ]
    for request in requests {
      shopping.send(request)
      if choose("pause", from: [false, true]) { try? await Task.sleep(for: .milliseconds(10)) }
      let (isShown, isTaken) = (shopping.state["milk"] == 0, await server.stock["milk"] != 1)
      sometimes("an edit is shown before the server has it", isShown && !isTaken)
    }
    try? await Task.sleep(for: .seconds(10))
    let stock = await server.stock
    sometimes("an item is removed", stock["milk"] == nil)
    #expect(await server.edits == 6)
    #expect(shopping.state == stock)
    #expect(await shopping.confirmed.state == stock)
  }
}
