import AsyncKnotTesting
import AsyncOptical

/// A shopping list whose client shows each change immediately.
///
/// Every app with such changes should have the test below. It checks, for many orders of the server's answers, that the client
/// ends with the server's state, even if the server refuses requests.
private actor Shopping: Opticle {
  enum Request: Sendable { case load, add(String), remove(String), sort }
  enum Response: Sendable { case loaded([String]), added(String), removed(String), sorted }

  let knot = Knot<[String]>([])
  let server: Server

  init(server: Server) { self.server = server }

  func dispatch(_ request: Request) async {
    switch request {
    case .load: await load(from: request) { .loaded(try await server.items()) }
    case .add(let item):
      await commit(from: request, expecting: .added(item)) { try await server.add(item) }
    case .remove(let item):
      await commit(from: request, expecting: .removed(item)) { try await server.remove(item) }
    case .sort:
      await commit(from: request, expecting: .sorted) { try await server.sort() }
    }
  }
  func mutate(_ items: inout [String], response: Response) {
    switch response {
    case .loaded(let loaded): items = loaded
    case .added(let item): if !items.contains(item) { items.append(item) }
    case .removed(let item): items.removeAll { $0 == item }
    case .sorted: items.sort()
    }
  }
  func recover(_ items: inout [String], request: Request, error: any Error) {}
}

/// A server that handles requests in the order of their arrival, refuses some, and answers after a random delay.
private actor Server {
  struct Refused: Error {}
  private var stock = ["milk"]
  var list: [String] { stock }

  func items() async throws -> [String] {
    let read = stock
    await wayBack()
    return read
  }
  func add(_ item: String) async throws {
    if fault("refused") { throw Refused() }
    if !stock.contains(item) { stock.append(item) }
    await wayBack()
  }
  func remove(_ item: String) async throws {
    stock.removeAll { $0 == item }
    await wayBack()
  }
  func sort() async throws {
    stock.sort()
    await wayBack()
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
      .load, .add("tea"), .add("rice"), .remove("tea"), .load, .sort, .add("tea"), .add("jam"),
    ]
    for request in requests {
      shopping.send(request)
      await untilIdle()
      if choose("pause", from: [false, true]) { try? await Task.sleep(for: .milliseconds(10)) }
    }
    try? await Task.sleep(for: .seconds(1))
    let list = await server.list
    #expect(shopping.state == list)
    #expect(await shopping.confirmed.state == list)
  }
}
