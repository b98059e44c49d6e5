/// The cause of a change of a binder's state.
public enum ActionCause<Action: Sendable>: TransitionCause {
  /// An action was accepted.
  case action(Action)
  /// An earlier state was restored.
  case restored

  /// Whether this is the cause of a `restore`.
  public var isRestored: Bool { if case .restored = self { true } else { false } }
}

extension ActionCause: Equatable where Action: Equatable {}
