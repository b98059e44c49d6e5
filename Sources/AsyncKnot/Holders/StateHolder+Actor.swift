/// The methods of an actor that holds a state and has no hooks.
extension Actor where Self: StateHolder, Self.Hooks == NoHooks {
  /// Mutates the state in place, in one synchronous step on the actor, and notifies the observers.
  ///
  /// Inside the closure, reading a holder's state or reducing again is an error and traps.
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
    _ = knot.core.replace(with: state, by: ObjectIdentifier(self), callsHooks: false)
  }

  /// Reduces every event of a sequence, in a loop that runs on the actor.
  ///
  /// The method returns when the sequence ends. The loop yields after each slice of events that
  /// were there at once.
  ///
  /// - Parameters:
  ///   - events: The sequence whose events are reduced.
  ///   - reduce: Applies one event to the state, in place.
  /// - Throws: The sequence's own error; the state keeps its last value.
  @inlinable
  public func consume<Events: AsyncSequence & Sendable>(
    _ events: Events, _ reduce: @Sendable (Events.Element, inout State) -> Void
  ) async throws(Events.Failure) {
    let (core, holder) = (knot.core, ObjectIdentifier(self))
    try await events.forEachInSlices(on: self) { event in
      _ = core.write(by: holder, callsHooks: false) { reduce(event, &$0) }
    }
  }
}
