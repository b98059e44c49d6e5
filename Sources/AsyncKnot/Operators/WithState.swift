extension AsyncSequence {
  /// Pairs every event with the source's state at that moment.
  ///
  /// ```swift
  /// for await (tap, state) in taps.withState(from: node) {
  ///   print(tap, state.title)
  /// }
  /// ```
  ///
  /// - Parameter source: The source whose state is read; it is not kept alive.
  /// - Returns: A sequence of (event, state).
  @inlinable
  public func withState<Source: StateSource>(
    from source: Source
  ) -> SampledSequence<Self, Source.State, (Element, Source.State)> {
    SampledSequence(self, source.knot.core) { ($0, $1) }
  }
}
