internal import Synchronization

/// Keeps an `observe` handler registered: it ends with `cancel()`, or when it is dropped.
///
/// ```swift
/// let observation = await node.observe { node, state in node.draw(state) }
/// await ticks.pipe(to: node) { tick, state in state.count = tick }  // each count is drawn
/// observation.cancel()
/// ```
///
/// It may be cancelled from any thread. Cancelled on the holder's isolation, the handler does not run
/// again; cancelled elsewhere, a run that has begun completes. What the handler captures is released
/// then, even while the observation is kept, and when the holder goes.
public final class StateObservation: Sendable {
  private let end: Mutex<(@Sendable () -> Void)?>

  init(_ end: @escaping @Sendable () -> Void) {
    self.end = Mutex(end)
  }

  deinit { cancel() }

  /// Ends the observation; the second time it does nothing.
  public func cancel() {
    end.withLock { $0.take() }?()
  }
}

extension KnotCore {
  /// Has a handler called for every state from now on, until its observation ends.
  ///
  /// The observation knows the handler by its ticket alone, so that it does not keep what is captured.
  func register(_ handler: any Handler, of holder: AnyObject) -> StateObservation {
    let ticket = withStorage { storage in
      storage.claim(for: ObjectIdentifier(holder))
      return storage.handlers.insert(handler)
    }
    return StateObservation { [self] in
      withStorage { $0.handlers.remove(ticket) }?.end()
    }
  }
}
