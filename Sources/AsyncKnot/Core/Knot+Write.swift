/// Writing for the holders of the sibling modules, and the counts that probes read.
extension Knot {
  /// Mutates the state in place and notifies the observers; for holders without hooks, on their
  /// isolation.
  ///
  /// - Parameters:
  ///   - holder: The identity of the holder; traps if another object writes this knot.
  ///   - body: The reducer.
  /// - Returns: What the reducer returned.
  @inlinable
  @discardableResult
  package func write<Result: Sendable>(
    by holder: ObjectIdentifier, _ body: (inout State) -> Result
  ) -> Result {
    core.write(by: holder, callsHooks: false, body).0
  }

  /// Replaces the state and notifies the observers; for holders without hooks, on their isolation.
  ///
  /// - Parameters:
  ///   - state: The new state.
  ///   - holder: As in `write(by:_:)`.
  /// - Returns: The old state. The caller releases it, outside the lock: the `deinit` of what is in
  ///   it is user code.
  @inlinable
  @discardableResult
  package func exchange(for state: State, by holder: ObjectIdentifier) -> State {
    core.exchange(for: state, by: holder, callsHooks: false).0
  }

  /// Traps: a second holder uses a knot that belongs to another one.
  @usableFromInline
  package static func refuseSecondHolder() -> Never {
    KnotStorage<State>.refuseSecondHolder()
  }

  /// The number of states accepted so far, the initial one included.
  package var version: UInt64 { core.withStorage { $0.version } }

  /// The number of registered observers: buffering ones, those that wait now, and handlers.
  package var observerCount: Int { observerCounter() }

  /// A closure that counts the registered observers, also after the knot is gone; it does not keep
  /// the knot.
  package var observerCounter: @Sendable () -> Int {
    { [core] in core.withStorage { $0.waiting.count + $0.inboxes.count + $0.handlers.count } }
  }
}
