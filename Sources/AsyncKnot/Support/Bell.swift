import Synchronization

/// Wakes one consumer that waits for several lists at once.
///
/// The first call of `ring()` wakes the consumer; later calls do nothing.
@usableFromInline
final class Bell: Sendable {
  @safe private enum Phase {
    /// `ring()` was not called yet, and the consumer has not suspended yet.
    case silent
    /// The consumer is suspended.
    case awaited(UnsafeContinuation<Void, Never>)
    /// `ring()` was called.
    case rung
  }

  private let phase = Mutex(Phase.silent)

  /// Wakes the consumer; the second call does nothing.
  ///
  /// The call is synchronous, from any thread. The continuation is resumed after the lock is
  /// released.
  @usableFromInline
  func ring() {
    let old = phase.withLock { phase in
      defer { phase = .rung }
      return phase
    }
    if case .awaited(let continuation) = old { unsafe continuation.resume() }
  }

  /// Suspends until `ring()` is called or the task is cancelled; returns at once if either has
  /// happened.
  ///
  /// - Parameter isolation: The consumer's isolation, on which this method runs.
  func wait(isolation: isolated (any Actor)?) async {
    Spawn.preemptionPoint()
    await withTaskCancellationHandler {
      unsafe await withUnsafeContinuation(isolation: isolation) { continuation in
        let isRung = phase.withLock { phase in
          if case .rung = phase { return true }
          phase = unsafe .awaited(continuation)
          return false
        }
        if isRung { unsafe continuation.resume() }
      }
    } onCancel: {
      ring()
    }
  }
}
