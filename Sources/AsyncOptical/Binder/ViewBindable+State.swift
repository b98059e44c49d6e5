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

  /// Traps: only `accept(_:)` changes a binder's state.
  ///
  /// - Parameter body: Never called.
  /// - Returns: Never.
  @discardableResult
  public func reduce<R: Sendable>(_ body: @Sendable (inout State) -> R) -> R {
    preconditionFailure("reduce(_:): only accept(_:) changes the state of \(Self.self)")
  }

  /// Traps: only `accept(_:)` changes a binder's state.
  ///
  /// - Parameters:
  ///   - events: Never iterated.
  ///   - reduce: Never called.
  /// - Throws: Never.
  public func consume<Events: AsyncSequence & Sendable>(
    _ events: Events, _ reduce: @Sendable (Events.Element, inout State) -> Void
  ) async throws(Events.Failure) {
    preconditionFailure("consume(_:_:): only accept(_:) changes the state of \(Self.self)")
  }
}
