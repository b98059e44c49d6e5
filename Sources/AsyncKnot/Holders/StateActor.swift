/// An actor that holds a state and has no hooks.
///
/// ```swift
/// actor Session: StateActor {
///   let knot = Knot(SessionState())
/// }
/// ```
public protocol StateActor: Actor, StateHolder {
  /// What causes a change: nothing that is told.
  ///
  /// An actor that tells causes, as opticles and binders do, cannot adopt this protocol, too: its
  /// `reduce` would bypass what they do.
  associatedtype ChangeCause = Never where ChangeCause == Never
}

extension StateActor {
  /// Mutates the state in place, in one synchronous step on the actor, and notifies the observers.
  ///
  /// Reading or writing any holder inside the closure ends the program.
  ///
  /// - Parameter body: The reducer; its `inout` parameter is the state.
  /// - Returns: What the reducer returned.
  @inlinable
  @discardableResult
  public func reduce<R: Sendable>(_ body: @Sendable (inout State) -> R) -> R {
    knot.write(by: ObjectIdentifier(self), body)
  }

  /// Replaces the state and notifies the observers; the old state is released last.
  ///
  /// - Parameter state: The new state.
  @inlinable
  public func sink(_ state: State) {
    knot.exchange(for: state, by: ObjectIdentifier(self))
  }

  /// Reduces every event of a sequence, in a loop that runs on the actor.
  ///
  /// The method returns when the sequence ends. The loop yields after each slice of events that
  /// were there at once.
  ///
  /// - Parameters:
  ///   - events: The sequence whose events are reduced.
  ///   - reduce: Applies one event to the state, in place; see ``StateHolder/consume(_:_:)``.
  /// - Throws: The sequence's own error; the state keeps its last value.
  @inlinable
  public func consume<Events: AsyncSequence & Sendable, Released: Sendable>(
    _ events: Events, _ reduce: @Sendable (Events.Element, inout State) -> Released
  ) async throws(Events.Failure) {
    let (core, holder) = (knot.core, ObjectIdentifier(self))
    try await events.forEachInSlices(on: self) { event in
      _ = core.write(by: holder, callsHooks: false) { reduce(event, &$0) }
    }
  }
}
