extension AsyncSequence where Self: Sendable {
  /// Reduces every event into a holder's state, in a loop that runs on the holder.
  ///
  /// ```swift
  /// await ticks.pipe(to: node) { tick, state in state.count = tick }
  /// ```
  ///
  /// It returns when this sequence ends, which most sequences do when the task is cancelled. The
  /// holder lives as long as the loop.
  ///
  /// - Parameters:
  ///   - holder: Whose state is reduced.
  ///   - reduce: Brings one event into the state, in place, in one step.
  /// - Throws: This sequence's own error; the state keeps its last value.
  @inlinable
  public func pipe<Holder: StateHolder>(
    to holder: Holder, _ reduce: @Sendable (Element, inout Holder.State) -> Void
  ) async throws(Failure) {
    try await holder.consume(self, reduce)
  }

  /// Makes every element the holder's state, in a loop that runs on the holder.
  ///
  /// - Parameter holder: Whose state is written.
  /// - Throws: This sequence's own error; the state keeps its last value.
  @inlinable
  public func pipe<Holder: StateHolder>(to holder: Holder) async throws(Failure)
  where Element == Holder.State {
    try await holder.consume(self) { $1 = $0 }
  }
}
