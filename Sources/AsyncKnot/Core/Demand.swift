/// Waits until somebody observes a knot: for a source that makes a state only if it is wanted.
package struct Demand<State: Sendable>: Sendable {
  fileprivate let core: KnotCore<State>

  /// Whether a task waits for an observer.
  package var isAwaited: Bool { core.withStorage { $0.demand != nil } }

  /// Returns when an observer waits for the next state, or buffers; false when the task is cancelled or
  /// the holder is gone.
  ///
  /// One task at a time may wait.
  package func next() async -> Bool { await next(after: (), as: Waiter(), isolation: nil) != nil }
}

extension Demand: Waitable {
  @usableFromInline
  func take(after position: Void, for waiter: Waiter) -> Taken<Void> {
    core.withStorage { storage in
      if storage.isFinished { return .finished }
      if !storage.isUnobserved { return .found(()) }
      storage.demand = waiter
      return .wait(ticket: 0)
    }
  }

  @usableFromInline func leave(_ ticket: UInt64) { core.withStorage { $0.demand = nil } }
}

extension Knot {
  /// Tells when the knot is observed; does not keep it alive.
  package var demand: Demand<State> { Demand(core: core) }
}
