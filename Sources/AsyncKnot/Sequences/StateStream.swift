extension StateSource {
  /// The states as an `AsyncStream`, for APIs that want the standard type.
  ///
  /// The stream begins with the current state, and buffers from this call on. Like every
  /// `AsyncStream` it has one consumer; unlike `states` it hops executors for each element, and may
  /// deliver one element after a cancellation. A cancelled task receives `nil`.
  ///
  /// - Parameter policy: How many states the consumer may lag behind; traps if a bound is below 1.
  /// - Returns: A stream that ends when the holder goes; dropping it removes the observer.
  public nonisolated func stateStream(
    buffering policy: AsyncStream<State>.Continuation.BufferingPolicy = .bufferingNewest(1)
  ) -> AsyncStream<State> {
    policy.checkRoom(for: "state", in: "stateStream(buffering:)")
    let subscription = knot.core.subscribe(policy)
    return AsyncStream {
      await subscription.inbox.next(after: (), as: Waiter(), isolation: nil)
    }
  }
}
