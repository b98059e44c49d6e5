/// What became of a snapshot that was given to a data source.
public enum ApplyOutcome: Hashable, Sendable {
  /// The surface shows it, drawn anew: it was the first, or too much had changed.
  case reloaded
  /// The surface shows it, after this many changes.
  case updated(Int)
  /// The surface showed the same already; it was not called.
  case unchanged
  /// A newer snapshot was given before the surface was touched, and replaced this one.
  ///
  /// It is shown after all if every newer one is cancelled before it reaches the surface.
  case superseded
  /// There is no surface any more: nobody shows it.
  case surfaceGone
}
