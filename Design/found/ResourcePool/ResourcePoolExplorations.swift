// Explorations of https://github.com/coenttb/swift-resource-pool at b382569.
// The package builds on Linux unchanged.

import ExploreTesting
import ResourcePool
import Testing

/// A server that opens connections, but refuses the first `refusals` of them.
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

/// Bug 18: "FIFO queue ensures waiters are served", even if the creation for another task has failed.
@Test func waiterIsServedAfterAnotherFailed() async {
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

/// Bug 19: `close()` is an "immediate shutdown", here while a connection is being opened.
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
