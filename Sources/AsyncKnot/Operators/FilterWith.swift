extension AsyncSequence {
  /// Keeps the events for which a predicate on the event and the source's current state holds.
  ///
  /// ```swift
  /// let early = ticks.filter(with: node) { tick, state in tick < state.limit }
  /// ```
  ///
  /// Before `pipe(to:)` the predicate runs on the holder, directly before the reduction. Before
  /// `pipe(to:in:)` it runs in the pipe's task, and another write may come between: what must hold is
  /// decided in the reducer.
  ///
  /// - Parameters:
  ///   - source: The source whose state is read; it is not kept alive.
  ///   - isIncluded: Whether to keep the event; called on the consumer's isolation.
  /// - Returns: A sequence of the events that were kept.
  @inlinable
  public func filter<Source: StateSource>(
    with source: Source, _ isIncluded: @escaping @Sendable (Element, Source.State) -> Bool
  ) -> SampledSequence<Self, Source.State, Element> {
    SampledSequence(self, source.knot.core) { isIncluded($0, $1) ? $0 : nil }
  }
}
