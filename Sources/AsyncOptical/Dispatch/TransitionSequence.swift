internal import AsyncKnot

/// The transitions of one holder since the sequence was made.
///
/// The sequence buffers each transition until it is taken. Iterators of one sequence share the
/// transitions. The sequence ends with the holder; a cancelled task receives `nil`.
public struct TransitionSequence<Cause: Sendable, State: Sendable>: AsyncSequence, Sendable {
  /// What the sequence delivers.
  public typealias Element = Transition<Cause, State>
  /// It never fails.
  public typealias Failure = Never

  let records: EventSequence<Record<Cause, State>>

  init(records: EventSequence<Record<Cause, State>>) {
    self.records = records
  }

  /// Makes an iterator that takes from this sequence.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(records: records.makeAsyncIterator())
  }

  /// Takes transitions from a sequence.
  public struct AsyncIterator: AsyncIteratorProtocol {
    var records: EventSequence<Record<Cause, State>>.AsyncIterator

    /// The next transition.
    ///
    /// - Parameter actor: The caller's isolation.
    /// - Returns: The transition; `nil` when the holder is gone or the task is cancelled.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
      while let record = await records.next(isolation: actor) {
        if case .transition(let transition) = record { return transition }
      }
      return nil
    }

    /// The next transition.
    nonisolated(nonsending) public mutating func next() async -> Element? {
      await next(isolation: #isolation)
    }
  }
}

@available(*, unavailable)
extension TransitionSequence.AsyncIterator: Sendable {}
