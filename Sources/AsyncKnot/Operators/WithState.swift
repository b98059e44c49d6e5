extension AsyncSequence {
  /// Pairs every event with the holder's state at that moment.
  ///
  /// ```swift
  /// for await (tap, state) in taps.withState(from: node) {
  ///   print(tap, state.title)
  /// }
  /// ```
  ///
  /// The state is read without a hop when the event arrives. The sequence does not keep the holder
  /// alive; once the holder is gone, its last state is used.
  ///
  /// - Parameter source: The source whose state is read.
  /// - Returns: A sequence of (event, state).
  @inlinable
  public func withState<Source: StateSource>(
    from source: Source
  ) -> WithStateSequence<Self, Source.State> {
    WithStateSequence(base: self, core: source.knot.core)
  }
}

/// The events of a base sequence, each with a holder's state.
public struct WithStateSequence<Base: AsyncSequence, State: Sendable>: AsyncSequence {
  /// What the sequence delivers.
  public typealias Element = (Base.Element, State)
  /// How the base sequence fails.
  public typealias Failure = Base.Failure

  @usableFromInline let base: Base
  @usableFromInline let core: KnotCore<State>

  @inlinable
  init(base: Base, core: KnotCore<State>) {
    self.base = base
    self.core = core
  }

  /// Makes an iterator over the pairs.
  @inlinable
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(base: base.makeAsyncIterator(), core: core)
  }

  /// Iterates over the pairs.
  public struct AsyncIterator: AsyncIteratorProtocol {
    @usableFromInline var base: Base.AsyncIterator
    @usableFromInline let core: KnotCore<State>

    @inlinable
    init(base: Base.AsyncIterator, core: KnotCore<State>) {
      self.base = base
      self.core = core
    }

    /// The next event with the state.
    ///
    /// - Parameter actor: The caller's isolation.
    /// - Returns: The pair; `nil` when the base sequence has ended.
    /// - Throws: The base sequence's error.
    @inlinable
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(Failure) -> Element? {
      guard let event = try await base.next(isolation: actor) else { return nil }
      return (event, core.state)
    }

    /// The next event with the state.
    @inlinable
    nonisolated(nonsending) public mutating func next() async throws(Failure) -> Element? {
      try await next(isolation: #isolation)
    }
  }
}

extension WithStateSequence: Sendable where Base: Sendable {}

@available(*, unavailable)
extension WithStateSequence.AsyncIterator: Sendable {}
