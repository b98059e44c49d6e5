extension StateSource {
  /// Returns the values of one property of the state, beginning with the current value and without consecutive repeats.
  ///
  /// ```swift
  /// for await title in node.values(of: \.title) { print(title) }
  /// ```
  /// The sequence skips states, ends and handles cancellation like `states`. The property's `==` runs on the consumer's
  /// isolation.
  public nonisolated func values<Value: Equatable & Sendable>(
    of keyPath: any KeyPath<State, Value> & Sendable
  ) -> some AsyncSequence<Value, Never> & Sendable {
    DistinctValues(states: states, value: { $0[keyPath: keyPath] })
  }
}

private struct DistinctValues<State: Sendable, Value: Equatable & Sendable>: AsyncSequence, Sendable
{
  let states: StateSequence<State>
  let value: @Sendable (State) -> Value

  func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(states: states.makeAsyncIterator(), value: value)
  }

  struct AsyncIterator: AsyncIteratorProtocol {
    var states: StateSequence<State>.AsyncIterator
    let value: @Sendable (State) -> Value
    var last: Value?

    mutating func next(isolation actor: isolated (any Actor)?) async -> Value? {
      while let state = await states.next(isolation: actor) {
        let next = value(state)
        if next != last {
          last = next
          return Task.isCancelledNow ? nil : next
        }
      }
      return nil
    }

    nonisolated(nonsending) mutating func next() async -> Value? {
      await next(isolation: #isolation)
    }
  }
}
