public import AsyncKnot

extension Dispatcher {
  /// The states, to be mapped, filtered and handled: the current one first.
  ///
  /// A slow handler skips to the newest state. Use ``watch(buffering:)`` for a handler that must
  /// receive every state, and ``transitions`` for causes and states before.
  public nonisolated var watch: Watcher<State> { watcher(of: knot.states) }

  /// The states, for a handler that must receive every one of them, as far as the buffer has room.
  ///
  /// ```swift
  /// feed.watch(buffering: .unbounded).live { state in log(state) }
  /// ```
  /// A pause empties the buffer: after a resume the newest state comes first.
  ///
  /// - Parameter policy: How many states a handler may lag behind; traps if a bound is below 1.
  /// - Returns: A watcher, each of whose observers has a buffer of its own.
  public nonisolated func watch(
    buffering policy: AsyncStream<State>.Continuation.BufferingPolicy
  ) -> Watcher<State> {
    watcher(of: knot.states(buffering: policy))
  }

  private nonisolated func watcher(of states: StateSequence<State>) -> Watcher<State> {
    Watcher(
      start: {
        let observer = StateObserver(of: states)
        return Watcher<State>.Start(
          current: observer.current, next: { actor in await observer.next(isolation: actor) },
          interrupt: { observer.interrupt() }, end: { observer.end() })
      }, crowd: desk.crowd)
  }
}
