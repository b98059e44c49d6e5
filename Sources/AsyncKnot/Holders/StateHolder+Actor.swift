/// An actor that holds a state and has no hooks of its own.
extension Actor where Self: StateHolder, Self.Hooks == NoHooks {
  /// Mutates the state in place, in one synchronous step on the actor.
  ///
  /// - Parameter body: The reducer; inside it the `inout` parameter is the state.
  /// - Returns: What the reducer returns.
  @inlinable
  @discardableResult
  public func reduce<R: Sendable>(_ body: @Sendable (inout State) -> R) -> R {
    knot.core.write(by: nil, body).0
  }

  /// Exchanges the state and tells the observers; the old state dies after both.
  ///
  /// - Parameter state: The new state.
  @inlinable
  public func sink(_ state: State) {
    _ = knot.core.replace(with: state, by: nil)
  }

  /// Reduces every event of a sequence, in a loop that runs on the actor.
  ///
  /// - Parameters:
  ///   - events: What is reduced.
  ///   - reduce: Brings one event into the state.
  /// - Throws: The sequence's own error; the state keeps its last value.
  @inlinable
  public func consume<Events: AsyncSequence & Sendable>(
    _ events: Events, _ reduce: @Sendable (Events.Element, inout State) -> Void
  ) async throws(Events.Failure) {
    let core = knot.core
    try await events.forEachInSlices(on: self) { event in
      _ = core.write(by: nil) { reduce(event, &$0) }
    }
  }
}
