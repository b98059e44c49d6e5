extension AsyncSequence where Self: Sendable {
  /// Reduces every event into a holder's state, in a loop that runs on the holder.
  ///
  /// ```swift
  /// await ticks.pipe(to: node) { tick, state in state.count = tick }
  /// ```
  ///
  /// The call returns when this sequence ends; most sequences end when the task is cancelled. The
  /// caller keeps the holder alive for as long as the loop runs. Operators of this sequence run on
  /// the holder, too: no write comes between their read of its state and the reduction.
  ///
  /// - Parameters:
  ///   - holder: The holder whose state is reduced.
  ///   - reduce: Applies one event to the state, in place, in one synchronous step.
  /// - Throws: This sequence's own error; the state keeps its last value.
  @inlinable
  public func pipe<Holder: StateHolder>(
    to holder: Holder, _ reduce: @Sendable (Element, inout Holder.State) -> Void
  ) async throws(Failure) {
    try await holder.consume(self, reduce)
  }

  /// Makes every element the holder's state; ends, and throws, as `pipe(to:_:)` does with a reducer.
  @inlinable
  public func pipe<Holder: StateHolder>(to holder: Holder) async throws(Failure)
  where Element == Holder.State {
    // The reducer returns the old state, so that it is released outside the lock.
    try await holder.consume(self) { state, current in
      defer { current = state }
      return current
    }
  }
}
