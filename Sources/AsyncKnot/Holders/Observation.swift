/// Keeps an `observe` handler registered: it ends with `cancel()`, or when it is dropped.
///
/// ```swift
/// let observation = await node.observe { node, state in node.draw(state) }
/// // …
/// observation.cancel()
/// ```
///
/// It may be cancelled from any thread. Cancelled on the holder's isolation, the handler does not run
/// again; cancelled elsewhere, a run that has begun completes.
public final class Observation: Sendable {
  private let end: @Sendable () -> Void

  init(_ end: @escaping @Sendable () -> Void) {
    self.end = end
  }

  deinit { end() }

  /// Ends the observation; the second time it does nothing.
  public func cancel() {
    end()
  }
}
