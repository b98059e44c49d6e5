import Synchronization

/// The time from which each connection has been able to send its next request.
///
/// The library limits only the time in which no byte arrives. A client could evade this limit by sending a byte now and then.
struct Arrivals: ~Copyable {
  private let since = Mutex<[Int32: ContinuousClock.Instant]>([:])

  /// Records the time at which a connection can begin its next request.
  func expect(on socket: Int32, from now: ContinuousClock.Instant = .now) {
    since.withLock { $0[socket] = now }
  }

  /// Records that the request is complete, or that the connection is about to be closed.
  func forget(_ socket: Int32) {
    since.withLock { $0[socket] = nil }
  }

  /// Calls `end` once for each connection whose request is overdue or can no longer arrive.
  ///
  /// The lock is held during the calls, and `forget(_:)` is called before a socket is closed. So `end` never gets a socket number
  /// that already belongs to a newer connection.
  func endOverdue(
    at now: ContinuousClock.Instant = .now, after limit: Duration,
    orWhere hasEnded: (Int32) -> Bool = { _ in false }, _ end: (Int32) -> Void
  ) {
    since.withLock { since in
      for (socket, start) in since where now - start > limit || hasEnded(socket) {
        end(socket)
        since[socket] = nil
      }
    }
  }
}
