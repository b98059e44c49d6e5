/// What happened to a snapshot that was given to a data source.
public enum ApplyOutcome: Hashable, Sendable {
  /// The surface has reloaded and shows the snapshot: it was the first one, or too much had
  /// changed.
  case reloaded
  /// The surface shows the snapshot after this number of changes.
  case updated(Int)
  /// The surface showed the same already; it was not called.
  case unchanged
  /// A newer snapshot replaced this one before the surface was called for it.
  ///
  /// It is shown after all if every newer one is cancelled before it reaches the surface.
  case superseded
  /// The surface is gone: nothing is shown, or no stage after the one within which it went.
  case surfaceGone
}
