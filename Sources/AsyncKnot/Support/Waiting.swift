/// An object that keeps a `WaitList` under its lock.
@usableFromInline
protocol Waiting: Sendable {
  /// Runs a transition of the list under the lock.
  func withWaitList<Result: Sendable>(_ body: (inout WaitList) -> Result) -> Result

  /// Removes the place of a consumer and wakes it; called when its task is cancelled.
  func withdraw(_ ticket: UInt64)
}

extension Waiting {
  @usableFromInline
  func withdraw(_ ticket: UInt64) {
    withWaitList { $0.remove(ticket) }?.wake()
  }

  /// Suspends until the place `ticket` is removed: by something new, by the end, or by a
  /// cancellation.
  ///
  /// The method stays on the caller's isolation. It resumes no continuation under the lock that the
  /// cancellation handler takes.
  ///
  /// - Parameters:
  ///   - ticket: The place that `reserve` returned.
  ///   - isolation: The caller's isolation.
  @inlinable
  func wait(at ticket: UInt64, isolation: isolated (any Actor)?) async {
    Spawn.preemptionPoint()
    await withTaskCancellationHandler {
      unsafe await withUnsafeContinuation(isolation: isolation) { continuation in
        let isParked = withWaitList { unsafe $0.park(continuation, at: ticket) }
        if !isParked { unsafe continuation.resume() }
      }
    } onCancel: {
      withdraw(ticket)
    }
  }
}
