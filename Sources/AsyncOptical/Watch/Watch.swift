public import AsyncKnot

extension Opticle {
  /// The states of the opticle, to be mapped, filtered and handled: the current one first.
  public nonisolated var watch: Watcher<State> { knot.states.watcher }
}

extension ViewBindable {
  /// The states of the binder, to be mapped, filtered and handled: the current one first.
  public nonisolated var watch: Watcher<State> { knot.states.watcher }
}
