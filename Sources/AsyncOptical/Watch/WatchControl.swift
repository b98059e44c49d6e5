/// Pauses, resumes and ends one handler that is live.
///
/// ```swift
/// let control = feed.watch.live { state in draw(state) }
/// control.unsubscribe()   // nothing is delivered, and nothing is registered
/// control.subscribe()     // the newest state is delivered at once
/// control.cancel()        // for good
/// ```
/// Every method may be called from any thread. Handlers of one control never overlap. None begins after
/// `unsubscribe()` or `cancel()` has returned on its isolation; one that is at work goes on. A control that
/// is dropped while it delivers changes nothing; one that is dropped in a pause ends, as nobody can resume it.
public final class WatchControl: Sendable {
  private let watching: any AnyWatching

  init(_ watching: any AnyWatching) { self.watching = watching }

  deinit { watching.endIfPaused() }

  /// Delivers from now on, the newest state first; while it is live it does nothing.
  public func subscribe() { watching.resume() }

  /// Delivers nothing until `subscribe()` is called.
  public func unsubscribe() { watching.pause() }

  /// Ends the delivery for good, and lets go of what the handler captures.
  ///
  /// A handler at work is cancelled; what it captures is let go when it has returned.
  public func cancel() { watching.end() }
}
