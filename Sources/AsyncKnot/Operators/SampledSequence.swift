extension AsyncSequence {
  /// Keeps the events for which a predicate on the event and the source's current state holds.
  ///
  /// ```swift
  /// let early = ticks.filter(with: node) { tick, state in tick < state.limit }
  /// ```
  /// Before `pipe(to:)` the predicate runs on the holder, directly before the reduction. Before
  /// `pipe(to:in:)` it runs in the pipe's task, and another write may come between: what must hold is
  /// decided in the reducer.
  @inlinable
  public func filter<Source: StateSource>(
    with source: Source, _ isIncluded: @escaping @Sendable (Element, Source.State) -> Bool
  ) -> SampledSequence<Self, Source.State, Element> {
    SampledSequence(self, source.knot.core) { isIncluded($0, $1) ? $0 : nil }
  }

  /// Pairs every event with the source's state at that moment.
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

  /// Replaces every event by the source's state at that moment.
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

/// The events of a base sequence, each combined with a source's state at that moment.
///
/// `filter(with:_:)`, `withState(from:)` and `state(from:)` make it. The state is read without a hop
/// when the event arrives. The source is not kept alive; its last state is used once it is gone.
public struct SampledSequence<Base: AsyncSequence, State: Sendable, Element>: AsyncSequence {
  /// How the base sequence fails.
  public typealias Failure = Base.Failure

  @usableFromInline typealias Combine = @Sendable (Base.Element, State) -> Element?

  @usableFromInline let base: Base
  @usableFromInline let core: KnotCore<State>
  @usableFromInline let combine: Combine

  @inlinable
  init(_ base: Base, _ core: KnotCore<State>, _ combine: @escaping Combine) {
    (self.base, self.core, self.combine) = (base, core, combine)
  }

  /// Makes an iterator over the combined elements.
  @inlinable
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(base.makeAsyncIterator(), core, combine)
  }

  /// Iterates over the combined elements.
  public struct AsyncIterator: AsyncIteratorProtocol {
    @usableFromInline var base: Base.AsyncIterator
    @usableFromInline let core: KnotCore<State>
    @usableFromInline let combine: Combine
    @usableFromInline var slice = Slice()

    @inlinable
    init(_ base: Base.AsyncIterator, _ core: KnotCore<State>, _ combine: @escaping Combine) {
      (self.base, self.core, self.combine) = (base, core, combine)
    }

    /// The next element that is not left out; `nil` when the base sequence has ended, or its error.
    @inlinable
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(Failure) -> Element? {
      while let event = try await base.nextUnlessCancelled(isolation: actor) {
        if let element = combine(event, core.state) { return element }
        if slice.isOver() { await Slice.giveWay() }
      }
      return nil
    }

    /// The next element that is not left out.
    @inlinable
    nonisolated(nonsending) public mutating func next() async throws(Failure) -> Element? {
      try await next(isolation: #isolation)
    }
  }
}

extension SampledSequence: Sendable where Base: Sendable {}

@available(*, unavailable)
extension SampledSequence.AsyncIterator: Sendable {}
