/// What happened to a snapshot that was given to a data source.
public enum ApplyOutcome: Hashable, Sendable {
  /// The surface has reloaded and shows the snapshot: it was the first one, or too much had
  /// changed.
  case reloaded
  /// The surface shows the snapshot after this number of changes.
  case updated(Int)
  /// The surface showed the same already; it was not called.
  case unchanged
  /// A newer snapshot has reached the surface before this one, or will for sure.
  case superseded
  /// The surface was released: nothing is shown, or later stages were skipped.
  case surfaceGone
}
