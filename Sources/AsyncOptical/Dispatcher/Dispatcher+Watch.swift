public import AsyncKnot

extension Dispatcher {
  /// The states, the current one first: Optical's name of `states`.
  ///
  /// ```swift
  /// feed.watch.map(\.titles).live(in: bag) { titles in show(titles) }
  /// ```
  public nonisolated var watch: StateSequence<State> { knot.states }

  /// The states, for a handler that must receive every one of them, as far as the buffer has room.
  ///
  /// A pause empties the buffer: after a resume the newest state comes first.
  ///
  /// - Parameter policy: How many states a handler may lag behind; traps if a bound is below 1.
  /// - Returns: A sequence each iterator of which has its own buffer.
  public nonisolated func watch(
    buffering policy: AsyncStream<State>.Continuation.BufferingPolicy
  ) -> StateSequence<State> {
    knot.states(buffering: policy)
  }
}
