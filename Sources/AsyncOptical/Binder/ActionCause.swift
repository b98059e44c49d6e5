/// Why a binder's state changed.
public enum ActionCause<Action: Sendable>: TransitionCause {
  /// An action was accepted.
  case action(Action)
  /// An earlier state was put back.
  case restored

  /// Whether an earlier state was put back.
  public var isRestored: Bool { if case .restored = self { true } else { false } }
}

extension ActionCause: Equatable where Action: Equatable {}
