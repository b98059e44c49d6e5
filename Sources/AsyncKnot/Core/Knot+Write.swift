extension Knot {
  /// Mutates the state in place, on the holder's isolation; traps if another object writes this knot.
  @inlinable
  @discardableResult
  package func write<Result: Sendable>(
    by holder: ObjectIdentifier, _ body: (inout State) -> Result
  ) -> Result {
    core.write(by: holder, callsHooks: false, body).0
  }

  /// Replaces the state; returns the old one, which the caller releases outside the lock.
  @inlinable
  @discardableResult
  package func exchange(for state: State, by holder: ObjectIdentifier) -> State {
    core.exchange(for: state, by: holder, callsHooks: false).0
  }

  @usableFromInline
  package static func refuseSecondHolder() -> Never {
    fatalError(
      """
      Two holders share one Knot<\(State.self)>: only one object may write it and have its hooks \
      called. Give each holder a knot of its own, or let the second adopt StateSource, which only reads.
      """)
  }

  /// The number of states accepted so far, the initial one included.
  package var version: UInt64 { core.withStorage { $0.version } }

  /// The number of registered observers: buffering ones, those that wait now, and handlers.
  package var observerCount: Int { observerCounter() }

  /// Counts the registered observers, also after the knot is gone.
  package var observerCounter: @Sendable () -> Int {
    { [core] in core.withStorage { $0.waiting.count + $0.inboxes.count + $0.handlers.count } }
  }
}
