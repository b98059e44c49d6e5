extension AsyncSequence {
  /// Replaces every event by the source's state at that moment.
  ///
  /// ```swift
  /// for await state in taps.state(from: node) { open(state.url) }
  /// ```
  ///
  /// - Parameter source: The source whose state is read; it is not kept alive.
  /// - Returns: A sequence of states, one for each event.
  @inlinable
  public func state<Source: StateSource>(
    from source: Source
  ) -> SampledSequence<Self, Source.State, Source.State> {
    SampledSequence(self, source.knot.core) { $1 }
  }
}
