/// Something that keeps a `WaitList` under its lock.
@usableFromInline
protocol Waiting: Sendable {
  /// Runs a transition of the list under the lock.
  func withWaitList<Result: Sendable>(_ body: (inout WaitList) -> Result) -> Result
}

extension Waiting {
  /// Suspends until the place `ticket` is taken away, by news, by the end, or by cancellation.
  ///
  /// It stays on the isolation of its caller. No continuation is resumed under the lock that the
  /// cancellation handler takes.
  @inlinable
  func wait(at ticket: UInt64, isolation: isolated (any Actor)?) async {
    Spawn.preemptionPoint()
    await withTaskCancellationHandler {
      unsafe await withUnsafeContinuation(isolation: isolation) { continuation in
        let isParked = withWaitList { unsafe $0.park(continuation, at: ticket) }
        if !isParked { unsafe continuation.resume() }
      }
    } onCancel: {
      withWaitList { $0.remove(ticket) }?.wake()
    }
  }
}
