public import AsyncKnot

extension Dispatcher {
  /// The states, to be mapped, filtered and handled: the current one first.
  public nonisolated var watch: Watcher<State> { knot.states.watcher }
}
