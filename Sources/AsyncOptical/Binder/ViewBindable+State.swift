public import AsyncKnot

/// Why a binder's state changed.
public enum ActionCause<Action: Sendable>: Sendable {
  /// An action was accepted.
  case action(Action)
  /// An earlier state was put back.
  case restored
}

extension ViewBindable {
  /// The transitions from now on, in order: cause, state before, state after.
  ///
  /// The subscription begins when the property is read and ends when the sequence and its iterators are
  /// dropped. Nothing is copied or kept while nobody listens.
  public nonisolated var transitions: TransitionSequence<ActionCause<Action>, State> {
    TransitionSequence(records: desk.records.subscribe())
  }
}
