import Synchronization

/// Since when each connection owes a whole request.
///
/// The library's own limit is one of silence, which a client escapes with a byte now and then.
struct Arrivals: ~Copyable {
  private let since = Mutex<[Int32: ContinuousClock.Instant]>([:])

  /// Notes that a connection owes a request from now on.
  func expect(on socket: Int32, from now: ContinuousClock.Instant = .now) {
    since.withLock { $0[socket] = now }
  }

  /// Notes that the request is there, or that the connection is about to be closed.
  func forget(_ socket: Int32) {
    since.withLock { $0[socket] = nil }
  }

  /// Lets `end` have each connection whose request is overdue, or can no longer come, once.
  ///
  /// The lock is held meanwhile, and `forget(_:)` is called before a socket is closed: `end` never gets a
  /// number that belongs to a newer connection.
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
