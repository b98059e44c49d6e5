internal import Synchronization

/// Keeps an `observe` handler registered until it is cancelled or dropped.
///
/// An observation may be cancelled from any thread, also in a reducer. After a `cancel()` on the
/// holder's isolation the handler does not run again; after one elsewhere, a call that has begun
/// completes. What the handler captures is released then, and also when the holder goes.
public final class StateObservation: Sendable {
  private let end: Mutex<(@Sendable () -> Void)?>

  init(_ end: @escaping @Sendable () -> Void) {
    self.end = Mutex(end)
  }

  deinit { cancel() }

  /// Ends the observation and releases the handler; the second call does nothing.
  public func cancel() {
    end.withLock { $0.take() }?()
  }
}
