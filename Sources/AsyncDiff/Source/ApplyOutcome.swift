/// What became of a snapshot that was given to a data source.
public enum ApplyOutcome: Hashable, Sendable {
  /// The surface shows it, drawn anew: it was the first, or too much had changed.
  case reloaded
  /// The surface shows it, after this many changes.
  case updated(Int)
  /// The surface showed the same already, or is gone; it was not called.
  case unchanged
  /// A newer snapshot was given before the surface was touched, and replaced this one.
  case superseded
}
