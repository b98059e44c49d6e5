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

  /// Makes every element the holder's state, in a loop that runs on the holder.
  ///
  /// The call returns when this sequence ends.
  ///
  /// - Parameter holder: The holder whose state is written.
  /// - Throws: This sequence's own error; the state keeps its last value.
  @inlinable
  public func pipe<Holder: StateHolder>(to holder: Holder) async throws(Failure)
  where Element == Holder.State {
    try await holder.consume(ExchangedSequence(base: self)) { $0.exchange(with: &$1) }
  }
}

/// The elements of a base sequence, each in a box that takes the old state in exchange.
///
/// The old state must not be released inside the reducer, which runs under the holder's lock. The
/// box keeps it until the loop takes the next element.
@usableFromInline
struct ExchangedSequence<Base: AsyncSequence & Sendable>: AsyncSequence, Sendable {
  @usableFromInline typealias Failure = Base.Failure

  @usableFromInline let base: Base

  @inlinable
  init(base: Base) {
    self.base = base
  }

  @usableFromInline
  final class Element {
    @usableFromInline var value: Base.Element

    @inlinable
    init(_ value: Base.Element) { self.value = value }

    @inlinable
    func exchange(with other: inout Base.Element) { swap(&value, &other) }
  }

  @inlinable
  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(base: base.makeAsyncIterator()) }

  @usableFromInline
  struct AsyncIterator: AsyncIteratorProtocol {
    @usableFromInline var base: Base.AsyncIterator

    @inlinable
    init(base: Base.AsyncIterator) {
      self.base = base
    }

    @inlinable
    mutating func next(isolation actor: isolated (any Actor)?) async throws(Failure) -> Element? {
      guard let element = try await base.next(isolation: actor) else { return nil }
      return Element(element)
    }

    @inlinable
    nonisolated(nonsending) mutating func next() async throws(Failure) -> Element? {
      try await next(isolation: #isolation)
    }
  }
}

@available(*, unavailable)
extension ExchangedSequence.AsyncIterator: Sendable {}
