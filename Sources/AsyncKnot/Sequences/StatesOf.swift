extension StateSource {
  /// One property of the state, without repeats: the current value, then each change.
  ///
  /// ```swift
  /// for await title in node.states(of: \.title) { print(title) }
  /// ```
  ///
  /// The sequence conflates, ends and is cancelled as `states` does. The property's `==` runs on
  /// the consumer's isolation.
  ///
  /// - Parameter keyPath: The property to observe.
  /// - Returns: A sequence in which no value equals the one before it.
  public nonisolated func states<Value: Equatable & Sendable>(
    of keyPath: any KeyPath<State, Value> & Sendable
  ) -> DistinctStateSequence<State, Value> {
    DistinctStateSequence(states: states, value: { $0[keyPath: keyPath] })
  }
}

/// One property of a holder's states, without repeats.
public struct DistinctStateSequence<State: Sendable, Value: Equatable & Sendable>: AsyncSequence,
  Sendable
{
  let states: StateSequence<State>
  let value: @Sendable (State) -> Value

  /// Makes an observer of the property.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(states: states.makeAsyncIterator(), value: value)
  }

  /// One observer of the property.
  public struct AsyncIterator: AsyncIteratorProtocol {
    var states: StateSequence<State>.AsyncIterator
    let value: @Sendable (State) -> Value
    var last: Value?

    /// The next value that differs from the last one; `nil` when the holder is gone or the task is
    /// cancelled.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Value? {
      while let state = await states.next(isolation: actor) {
        let next = value(state)
        if next != last {
          last = next
          return next
        }
      }
      return nil
    }

    /// The next value that differs from the last one.
    nonisolated(nonsending) public mutating func next() async -> Value? {
      await next(isolation: #isolation)
    }
  }
}

@available(*, unavailable)
extension DistinctStateSequence.AsyncIterator: Sendable {}
