import Synchronization

/// Wakes one consumer that waits for several lists: the first ring counts, the others do nothing.
@usableFromInline
final class Bell: Sendable {
  @safe private enum Phase {
    /// Nobody has rung, and the consumer has not suspended yet.
    case silent
    /// The consumer is suspended.
    case awaited(UnsafeContinuation<Void, Never>)
    /// Somebody has rung.
    case rung
  }

  private let phase = Mutex(Phase.silent)

  /// Wakes the consumer.
  @usableFromInline
  func ring() {
    let old = phase.withLock { phase in
      defer { phase = .rung }
      return phase
    }
    if case .awaited(let continuation) = old { unsafe continuation.resume() }
  }

  /// Suspends until somebody rings, or the task is cancelled.
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
