extension AsyncSequence {
  /// Keeps the events for which a predicate is true.
  ///
  /// The predicate receives the event and the source's current state.
  ///
  /// ```swift
  /// let early = ticks.filter(with: node) { tick, state in tick < state.limit }
  /// ```
  /// With `pipe(to:)` the predicate runs on the holder, directly before the reduction. With `pipe(to:in:)` it runs in the pipe's
  /// task, so another write may happen between the predicate and the reduction. If a condition must hold during the reduction,
  /// check it in the reducer.
  @inlinable
  public func filter<Source: StateSource>(
    with source: Source, _ isIncluded: @escaping @Sendable (Element, Source.State) -> Bool
  ) -> SampledSequence<Self, Source.State, Element> {
    SampledSequence(self, source.knot.core) { isIncluded($0, $1) ? $0 : nil }
  }

  /// Pairs every event with the state that the source has when the event arrives.
  ///
  /// ```swift
  /// for await (tap, state) in taps.withState(from: node) {
  ///   print(tap, state.title)
  /// }
  /// ```
  @inlinable
  public func withState<Source: StateSource>(
    from source: Source
  ) -> SampledSequence<Self, Source.State, (Element, Source.State)> {
    SampledSequence(self, source.knot.core) { ($0, $1) }
  }

  /// Replaces every event with the state that the source has when the event arrives.
  ///
  /// ```swift
  /// for await state in taps.state(from: node) { open(state.url) }
  /// ```
  @inlinable
  public func state<Source: StateSource>(
    from source: Source
  ) -> SampledSequence<Self, Source.State, Source.State> {
    SampledSequence(self, source.knot.core) { $1 }
  }
}

/// The events of a base sequence, each combined with a source's state.
///
/// `filter(with:_:)`, `withState(from:)` and `state(from:)` return this type. The sequence reads the state when an event arrives,
/// without a hop to the source's actor. It does not keep the source alive, and uses the last state after the source is released.
public struct SampledSequence<Base: AsyncSequence, State: Sendable, Element>: AsyncSequence {
  /// The base sequence's error type.
  public typealias Failure = Base.Failure

  @usableFromInline typealias Combine = @Sendable (Base.Element, State) -> Element?

  @usableFromInline let base: Base
  @usableFromInline let core: KnotCore<State>
  @usableFromInline let combine: Combine

  @inlinable
  init(_ base: Base, _ core: KnotCore<State>, _ combine: @escaping Combine) {
    (self.base, self.core, self.combine) = (base, core, combine)
  }

  /// Creates an iterator over the combined elements.
  @inlinable
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(base.makeAsyncIterator(), core, combine)
  }

  /// An iterator over the combined elements.
  public struct AsyncIterator: AsyncIteratorProtocol {
    @usableFromInline var base: Base.AsyncIterator
    @usableFromInline let core: KnotCore<State>
    @usableFromInline let combine: Combine
    @usableFromInline var slice = Slice()

    @inlinable
    init(_ base: Base.AsyncIterator, _ core: KnotCore<State>, _ combine: @escaping Combine) {
      (self.base, self.core, self.combine) = (base, core, combine)
    }

    /// Returns the next element that the operator keeps; `nil` at the end of the base sequence, or if the task is cancelled.
    ///
    /// - Throws: The base sequence's error.
    @inlinable
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(Failure) -> Element? {
      while let event = try await base.nextUnlessCancelled(isolation: actor) {
        if let element = combine(event, core.state) { return Task.isCancelledNow ? nil : element }
        if slice.isOver() { await Slice.yield() }
      }
      return nil
    }

    /// Returns the next element that the operator keeps; `nil` at the end of the base sequence, or if the task is cancelled.
    @inlinable
    nonisolated(nonsending) public mutating func next() async throws(Failure) -> Element? {
      try await next(isolation: #isolation)
    }
  }
}

extension SampledSequence: Sendable where Base: Sendable {}

@available(*, unavailable)
extension SampledSequence.AsyncIterator: Sendable {}
