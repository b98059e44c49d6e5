extension AsyncSequence {
  /// Replaces every event by the holder's state at that moment.
  ///
  /// ```swift
  /// for await state in taps.state(from: node) { open(state.url) }
  /// ```
  ///
  /// The state is read without a hop when the event arrives. The sequence does not keep the holder
  /// alive; once the holder is gone, its last state is used.
  ///
  /// - Parameter source: The source whose state is read.
  /// - Returns: A sequence of states, one for each event.
  @inlinable
  public func state<Source: StateSource>(
    from source: Source
  ) -> StateFromSequence<Self, Source.State> {
    StateFromSequence(base: self, core: source.knot.core)
  }
}

/// A holder's state for each event of a base sequence.
public struct StateFromSequence<Base: AsyncSequence, State: Sendable>: AsyncSequence {
  /// What the sequence delivers.
  public typealias Element = State
  /// How the base sequence fails.
  public typealias Failure = Base.Failure

  @usableFromInline let base: Base
  @usableFromInline let core: KnotCore<State>

  @inlinable
  init(base: Base, core: KnotCore<State>) {
    self.base = base
    self.core = core
  }

  /// Makes an iterator over the states.
  @inlinable
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(base: base.makeAsyncIterator(), core: core)
  }

  /// Iterates over the states.
  public struct AsyncIterator: AsyncIteratorProtocol {
    @usableFromInline var base: Base.AsyncIterator
    @usableFromInline let core: KnotCore<State>

    @inlinable
    init(base: Base.AsyncIterator, core: KnotCore<State>) {
      self.base = base
      self.core = core
    }

    /// The state at the next event.
    ///
    /// - Parameter actor: The caller's isolation.
    /// - Returns: The state; `nil` when the base sequence has ended.
    /// - Throws: The base sequence's error.
    @inlinable
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(Failure) -> State? {
      guard try await base.next(isolation: actor) != nil else { return nil }
      return core.state
    }

    /// The state at the next event.
    @inlinable
    nonisolated(nonsending) public mutating func next() async throws(Failure) -> State? {
      try await next(isolation: #isolation)
    }
  }
}

extension StateFromSequence: Sendable where Base: Sendable {}

@available(*, unavailable)
extension StateFromSequence.AsyncIterator: Sendable {}
