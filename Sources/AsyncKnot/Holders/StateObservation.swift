internal import Synchronization

/// Keeps an `observe` handler registered until it is cancelled or dropped.
///
/// ```swift
/// let observation = await node.observe { node, state in node.draw(state) }
/// await ticks.pipe(to: node) { tick, state in state.count = tick }  // each count is drawn
/// observation.cancel()
/// ```
///
/// An observation may be cancelled from any thread, also in a reducer. After a `cancel()` on the
/// holder's isolation the handler does not run again; after one elsewhere, a call that has begun
/// completes. The handler's captured values are released then, even if the observation is kept, and
/// also when the holder goes. After a `cancel()` while a reducer of the holder runs they are
/// released once it has returned.
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

extension KnotCore {
  /// Registers a handler that is called for every state from now on, until its observation ends.
  ///
  /// The observation stores only the handler's ticket and mark, so it does not keep what the
  /// handler captures.
  ///
  /// - Parameters:
  ///   - handler: The handler.
  ///   - holder: The holder; traps if another object writes this knot.
  /// - Returns: The observation that ends the handler.
  func register(_ handler: any Handler, of holder: AnyObject) -> StateObservation {
    let ticket = withStorage { storage in
      storage.claim(for: ObjectIdentifier(holder))
      return storage.handlers.insert(handler)
    }
    return StateObservation { [self, mark = handler.mark] in
      mark.end()
      remove { $0.handlers.remove(ticket) }
    }
  }
}
