/// An actor that holds a state and has no hooks of its own.
extension Actor where Self: StateHolder, Self.Hooks == NoHooks {
  /// Mutates the state in place, in one synchronous step on the actor.
  ///
  /// - Parameter body: The reducer; inside it the `inout` parameter is the state.
  /// - Returns: What the reducer returns.
  @inlinable
  @discardableResult
  public func reduce<R: Sendable>(_ body: @Sendable (inout State) -> R) -> R {
    knot.core.write(hooked: false, body).0
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
    var iterator = events.makeAsyncIterator()
    while let event = try await iterator.next(isolation: self) {
      _ = core.write(hooked: false) { reduce(event, &$0) }
    }
  }
}
