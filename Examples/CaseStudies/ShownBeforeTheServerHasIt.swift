import AsyncKnotTesting
import AsyncOptical

/// A shopping list that shows a row as soon as the user adds it.
///
/// The row disappears if the server refuses it, but never because of a late response to a load.
private actor Shopping: Opticle {
  enum Request: Sendable { case load, add(String) }
  enum Response: Sendable { case loaded([String]), added(String) }

  let knot = Knot<[String]>([])
  let server: Server

  init(server: Server) { self.server = server }

  nonisolated func policy(for request: Request) -> DispatchPolicy {
    if case .load = request { .latest("load") } else { .serial("add") }
  }
  func expectation(for request: Request) -> Response? {
    if case .add(let item) = request { .added(item) } else { nil }
  }
  func dispatch(_ request: Request) async {
    switch request {
    case .load: await load(from: request) { .loaded(try await server.items()) }
    case .add(let item):
      let isConfirmed = await commit(expectationFor: request) { try await server.add(item) }
      // If only the response was lost, the server has the row.
      if !isConfirmed { send(.load) }
    }
  }
  func mutate(_ items: inout [String], response: Response) {
    switch response {
    case .loaded(let loaded): items = loaded
    case .added(let item): if !items.contains(item) { items.append(item) }
    }
  }
  func recover(_ items: inout [String], request: Request, error: any Error) {}
}

private actor Server {
  struct SoldOut: Error {}
  private(set) var stock = ["milk"]

  func items() async throws -> [String] {
    let read = stock
    await Task.yield()
    return read
  }
  func add(_ item: String) async throws {
    await Task.yield()
    guard item != "tea" else { throw SoldOut() }
    stock.append(item)
    if fault("lost response") { throw SoldOut() }
  }
}

@Test func acceptedRowsStayAndRefusedRowsDisappear() async {
  await explore(seeds: 500) {
    let server = Server(), shopping = Shopping(server: server)
    for request in [Shopping.Request.load, .add("rice"), .add("tea"), .load, .add("salt"), .load] {
      shopping.send(request)
      await Task.yield()
      let (isShown, stock) = (shopping.state.contains("rice"), await server.stock)
      sometimes("a row is shown before the server has it", isShown && !stock.contains("rice"))
    }
    await untilIdle()
    #expect(shopping.state == ["milk", "rice", "salt"])
  }
}
