import ExploreTesting
import Foundation
import MCP
import Testing

/// `swift-sdk` of the Model Context Protocol at 6132fd4.
@Suite struct MCPExplorations {
  private func connected() async throws -> (client: Client, server: Server) {
    let (near, far) = await InMemoryTransport.createConnectedPair()
    let server = Server(name: "s", version: "1", capabilities: .init(tools: .init()))
    await server.withMethodHandler(ListTools.self) { _ in
      await Task.yield()
      return .init(tools: [])
    }
    try await server.start(transport: far)
    let client = Client(name: "c", version: "1")
    _ = try await client.connect(transport: near)
    return (client, server)
  }

  private actor Tasks {
    private(set) var all: [Task<Ping.Result, any Error>] = []
    func append(_ task: Task<Ping.Result, any Error>) { all.append(task) }
  }

  @Test("Each request of a batch is answered")
  func batch() async {
    await explore(seeds: 500) {
      let (client, server) = try await connected()
      let tasks = Tasks()
      try await client.withBatch { batch in
        for _ in 0..<2 { await tasks.append(try await batch.addRequest(Ping.request())) }
      }
      for task in await tasks.all { _ = await task.result }
      await client.disconnect()
      await server.stop()
    }
  }

  @Test("A request that is cancelled after it was sent throws")
  func cancelled() async {
    await explore(seeds: 500) {
      let (client, server) = try await connected()
      let context = try await client.send(ListTools.request(.init()))
      try await client.cancelRequest(context.requestID)
      await #expect(throws: CancellationError.self) { try await context.value }
      await client.disconnect()
      await server.stop()
    }
  }

  @Test("A request ends when its client disconnects")
  func disconnected() async {
    await explore(seeds: 500) {
      let (client, server) = try await connected()
      let asking = Task { _ = try await client.listTools() }
      let closing = Task { await client.disconnect() }
      _ = await asking.result
      await closing.value
      await server.stop()
    }
  }
}
