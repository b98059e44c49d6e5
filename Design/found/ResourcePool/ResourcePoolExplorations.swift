// Explorations of https://github.com/coenttb/swift-resource-pool at b382569.
// It builds on Linux as it is.

import ExploreTesting
import ResourcePool
import Testing

/// Opens connections, but refuses the first ones.
private actor Server {
  var refusals: Int
  init(refusals: Int) { self.refusals = refusals }

  func open() throws {
    guard refusals > 0 else { return }
    refusals -= 1
    throw CancellationError()
  }
}

private final class Connection: PoolableResource {
  static func create(config: Server) async throws -> Connection {
    try await Task.sleep(for: .seconds(1))
    try await config.open()
    return Connection()
  }
  func validate() async -> Bool { true }
  func reset() async throws {}
}

/// Row 18: "FIFO queue ensures waiters are served", and the creation for another one has failed.
@Test func whoWaitsIsServedAfterAnotherFailed() async {
  await explore(seeds: 10_000) {
    let pool = try await ResourcePool<Connection>(
      capacity: 1, resourceConfig: Server(refusals: 1), warmup: false)
    let first = Task(name: "first") { try await pool.withResource(timeout: .seconds(5)) { _ in } }
    let second = Task(name: "second") { try await pool.withResource(timeout: .seconds(5)) { _ in } }
    for user in [first, second] {
      if case .failure(let error) = await user.result { #expect(error as? PoolError != .timeout) }
    }
  }
}

/// Row 19: `close()` is an "immediate shutdown", here while a connection is opened for somebody.
@Test func closedPoolLendsNothing() async {
  await explore(seeds: 10_000) {
    let pool = try await ResourcePool<Connection>(
      capacity: 1, resourceConfig: Server(refusals: 0), warmup: false)
    let user = Task(name: "user") { try await pool.withResource { _ in } }
    try await Task.sleep(for: .seconds(0.5))
    await pool.close()
    await #expect(throws: PoolError.closed) { try await user.value }
  }
}
