/// Why a state changed: `CommitCause` for opticles, `ActionCause` for binders.
public protocol TransitionCause: Sendable {
  /// An earlier state was put back.
  static var restored: Self { get }

  /// Whether an earlier state was put back.
  var isRestored: Bool { get }
}
