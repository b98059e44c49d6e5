/// Pauses, resumes and ends one handler that was given to `live`.
///
/// ```swift
/// let control = feed.watch.live { state in draw(state) }
/// control.unsubscribe()   // nothing is delivered, and nothing is registered
/// control.subscribe()     // the newest state is delivered at once
/// control.cancel()        // for good
/// ```
/// Every method is synchronous and may be called from any thread. Handlers of one control never
/// overlap. After `unsubscribe()` or `cancel()` has returned on the handler's isolation, no handler
/// begins; a running one continues. Releasing a control that delivers changes nothing; releasing a
/// paused one ends it, because nothing can resume it.
public final class WatchControl: Sendable {
  private let watching: any AnyWatching

  init(_ watching: any AnyWatching) { self.watching = watching }

  deinit { watching.endIfPaused() }

  /// Delivers from now on, the newest state first; does nothing while the control delivers.
  public func subscribe() { watching.resume() }

  /// Delivers nothing until `subscribe()` is called.
  public func unsubscribe() { watching.pause() }

  /// Ends the delivery for good and releases the handler's captured values.
  ///
  /// A running handler's task is cancelled; the captured values are released when the handler has
  /// returned.
  public func cancel() { watching.end() }
}
