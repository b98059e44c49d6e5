/// The cause of a change of state: `CommitCause` for opticles, `ActionCause` for binders.
public protocol TransitionCause: Sendable {
  /// The cause of a `restore`.
  static var restored: Self { get }

  /// Whether this is the cause of a `restore`.
  var isRestored: Bool { get }
}
