// Explorations of vapor/postgres-nio at commit fff0952. Only its module _ConnectionPoolModule was built.

import ExploreTesting
import Synchronization
@testable import _ConnectionPoolModule

private final class Connection: PooledConnection, Sendable {
  typealias Callback = @Sendable ((any Error)?) -> Void
  let id: Int
  private let state = Mutex<(isClosed: Bool, callback: Callback?)>((false, nil))

  init(_ id: Int) { self.id = id }

  func onClose(_ callback: @escaping Callback) {
    let isClosed = state.withLock { state in
      if !state.isClosed { state.callback = callback }
      return state.isClosed
    }
    if isClosed { callback(nil) }
  }

  func close() {
    state.withLock { state in
      state.isClosed = true
      return state.callback.take()
    }?(nil)
  }
}

private struct FailingPing: ConnectionKeepAliveBehavior {
  struct Failed: Error {}
  var keepAliveFrequency: Duration? { .seconds(1) }
  func runKeepAlive(for connection: Connection) async throws {
    try await Task.sleep(for: .milliseconds(500))
    throw Failed()
  }
}

private struct Unobserved: ConnectionPoolObservabilityDelegate {
  func startedConnecting(id: Int) {}
  func connectSucceeded(id: Int, streamCapacity: UInt16) {}
  func connectFailed(id: Int, error: any Error) {}
  func connectionUtilizationChanged(id: Int, streamsUsed: UInt16, streamCapacity: UInt16) {}
  func keepAliveTriggered(id: Int) {}
  func keepAliveSucceeded(id: Int) {}
  func keepAliveFailed(id: Int, error: any Error) {}
  func connectionClosing(id: Int) {}
  func connectionClosed(id: Int, error: (any Error)?) {}
  func requestQueueDepthChanged(_ depth: Int) {}
  func connectSucceeded(id: Int) {}
  func connectionLeased(id: Int) {}
  func connectionReleased(id: Int) {}
}

@Suite struct ConnectionPoolExplorations {
  // Bug 30: a keep-alive fails and its connection closes. If a task leases a connection meanwhile, a precondition traps.
  @Test func aFailedKeepAliveDoesNotTrap() async {
    await explore(seeds: 10_000) {
      var configuration = ConnectionPoolConfiguration()
      configuration.minimumConnectionCount = 1
      configuration.maximumConnectionSoftLimit = 2
      configuration.maximumConnectionHardLimit = 2
      configuration.idleTimeout = .seconds(3)
      let pool = ConnectionPool<
        Connection, Int, ConnectionIDGenerator, ConnectionRequest<Connection>, Int, FailingPing,
        Unobserved, ContinuousClock
      >(
        configuration: configuration, keepAliveBehavior: FailingPing(),
        observabilityDelegate: Unobserved(), clock: ContinuousClock()
      ) { id, _ in
        try await Task.sleep(for: .milliseconds(100))
        return ConnectionAndMetadata(connection: Connection(id), maximalStreamsOnConnection: 1)
      }
      let run = Task(name: "run") { await pool.run() }
      for _ in 0..<3 {
        try await pool.withConnection { _ in try await Task.sleep(for: .milliseconds(700)) }
        try await Task.sleep(for: .milliseconds(1_500))
      }
      run.cancel()
      await run.value
    }
  }
}
