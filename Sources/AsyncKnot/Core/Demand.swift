/// Waits until a knot has an observer, so that a source computes a state only when an observer needs one.
package struct Demand<State: Sendable>: Sendable {
  fileprivate let core: KnotCore<State>

  /// Whether a task is waiting for an observer.
  package var isAwaited: Bool { core.withStorage { $0.demand != nil } }

  /// Suspends until an observer is waiting for the next state or buffers states.
  ///
  /// Returns `false` if the task is cancelled or the holder is released. Only one task may wait at a time.
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
  /// A value with which a task waits until the knot has an observer.
  ///
  /// The value does not keep the knot alive.
  package var demand: Demand<State> { Demand(core: core) }
}
