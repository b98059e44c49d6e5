/// A source whose state can be written from outside, for example by `pipe(to:)`.
///
/// An actor becomes a holder by adopting ``StateActor``, or ``Knotable`` if it needs hooks. A main-actor view adopts
/// ``KnotableView``. Each of these protocols adds a synchronous `reduce` for the holder's own code.
///
/// Generic code calls `await holder.reduce { … }`, which also calls the holder's hooks.
public protocol StateHolder<State>: StateSource {
  /// Mutates the state in place, in one synchronous step on the holder.
  ///
  /// Concurrent reductions do not lose updates. Traps if the closure reads or writes a holder.
  @discardableResult func reduce<R: Sendable>(_ body: @Sendable (inout State) -> R) async -> R

  /// Reduces every event of a sequence in a loop on the holder.
  ///
  /// While events are available without waiting, the loop yields after each slice of about half a millisecond. The method returns
  /// when the sequence ends. Most sequences end when the task is cancelled. The call keeps the holder alive while the loop runs;
  /// `pipe(to:in:_:)` does not.
  ///
  /// - Parameters:
  ///   - events: The sequence whose events are reduced.
  ///   - reduce: Applies one event to the state, in place. The returned value is released after the reduction. A value that the
  ///     closure replaces but does not return is released during the reduction, so the `deinit` of that value must not use a
  ///     holder.
  /// - Throws: The sequence's own error. The state keeps its last value.
  func consume<Events: AsyncSequence & Sendable, Released: Sendable>(
    _ events: Events, _ reduce: @Sendable (Events.Element, inout State) -> Released
  ) async throws(Events.Failure)
}

extension StateHolder {
  /// The actor on which the package releases its references to a holder; `nil` if any thread may do so.
  @usableFromInline nonisolated static var home: (any Actor)? {
    self is any KnotableView.Type ? MainActor.shared : nil
  }
}

/// An actor that holds a state but has no hooks.
///
/// ```swift
/// actor Session: StateActor {
///   let knot = Knot(SessionState())
/// }
/// ```
public protocol StateActor: Actor, StateHolder {
  /// Always `Never`.
  ///
  /// An opticle or a binder has a different type here, so it cannot also adopt `StateActor`, whose `reduce` would bypass the
  /// commits.
  associatedtype ChangeCause = Never where ChangeCause == Never
}

extension StateActor {
  /// Mutates the state in place, in one synchronous step on the actor.
  ///
  /// Like ``StateHolder/reduce(_:)``, this method traps if the closure uses a holder.
  @inlinable @discardableResult
  public func reduce<R: Sendable>(_ body: @Sendable (inout State) -> R) -> R {
    ownKnot.write(by: ObjectIdentifier(self), body)
  }

  /// Replaces the state, notifies the observers, and then releases the old state.
  @inlinable
  public func sink(_ state: State) { ownKnot.exchange(for: state, by: ObjectIdentifier(self)) }

  /// Reduces every event of a sequence; see ``StateHolder/consume(_:_:)``.
  @inlinable
  public func consume<Events: AsyncSequence & Sendable, Released: Sendable>(
    _ events: Events, _ reduce: @Sendable (Events.Element, inout State) -> Released
  ) async throws(Events.Failure) {
    let (core, holder) = (ownKnot.core, ObjectIdentifier(self))
    try await events.forEachInSlices(on: self) { event in
      _ = core.write(by: holder, callsHooks: false) { reduce(event, &$0) }
    }
  }
}
