extension AsyncSequence {
  /// Keeps the events for which a predicate on the event and the holder's current state holds.
  ///
  /// ```swift
  /// let early = ticks.filter(with: node) { tick, state in tick < state.limit }
  /// ```
  ///
  /// The state is read without a hop when the event arrives. The sequence does not keep the holder
  /// alive; once the holder is gone, its last state is used.
  ///
  /// - Parameters:
  ///   - source: The source whose state is read.
  ///   - isIncluded: Whether to keep the event; called on the consumer's isolation.
  /// - Returns: A sequence of the events that were kept.
  @inlinable
  public func filter<Source: StateSource>(
    with source: Source, _ isIncluded: @escaping @Sendable (Element, Source.State) -> Bool
  ) -> FilterWithStateSequence<Self, Source.State> {
    FilterWithStateSequence(base: self, core: source.knot.core, isIncluded: isIncluded)
  }
}

/// The events of a base sequence that pass a predicate on a holder's state.
public struct FilterWithStateSequence<Base: AsyncSequence, State: Sendable>: AsyncSequence {
  /// What the sequence delivers.
  public typealias Element = Base.Element
  /// How the base sequence fails.
  public typealias Failure = Base.Failure

  @usableFromInline let base: Base
  @usableFromInline let core: KnotCore<State>
  @usableFromInline let isIncluded: @Sendable (Element, State) -> Bool

  @inlinable
  init(
    base: Base, core: KnotCore<State>, isIncluded: @escaping @Sendable (Element, State) -> Bool
  ) {
    self.base = base
    self.core = core
    self.isIncluded = isIncluded
  }

  /// Makes an iterator over the events that are kept.
  @inlinable
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(base: base.makeAsyncIterator(), core: core, isIncluded: isIncluded)
  }

  /// Iterates over the events that are kept.
  public struct AsyncIterator: AsyncIteratorProtocol {
    @usableFromInline var base: Base.AsyncIterator
    @usableFromInline let core: KnotCore<State>
    @usableFromInline let isIncluded: @Sendable (Element, State) -> Bool
    @usableFromInline var slice = Slice()

    @inlinable
    init(
      base: Base.AsyncIterator, core: KnotCore<State>,
      isIncluded: @escaping @Sendable (Element, State) -> Bool
    ) {
      self.base = base
      self.core = core
      self.isIncluded = isIncluded
    }

    /// The next event that is kept.
    ///
    /// - Parameter actor: The caller's isolation.
    /// - Returns: The event; `nil` when the base sequence has ended.
    /// - Throws: The base sequence's error.
    @inlinable
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(Failure) -> Element? {
      while let event = try await base.next(isolation: actor) {
        if isIncluded(event, core.state) { return event }
        if slice.isOver() { await Slice.giveWay() }
      }
      return nil
    }

    /// The next event that is kept.
    @inlinable
    nonisolated(nonsending) public mutating func next() async throws(Failure) -> Element? {
      try await next(isolation: #isolation)
    }
  }
}

extension FilterWithStateSequence: Sendable where Base: Sendable {}

@available(*, unavailable)
extension FilterWithStateSequence.AsyncIterator: Sendable {}
