/// An actor that holds a state and has no hooks.
///
/// ```swift
/// actor Session: StateActor {
///   let knot = Knot(SessionState())
/// }
/// ```
public protocol StateActor: Actor, StateHolder {
  /// What causes a change: nothing that is told. So an opticle or a binder, whose commits this
  /// `reduce` would bypass, cannot adopt the protocol, too.
  associatedtype ChangeCause = Never where ChangeCause == Never
}

extension StateActor {
  /// Mutates the state in place, in one synchronous step on the actor; a closure that uses any holder
  /// ends the program, as in ``StateHolder/reduce(_:)``.
  @inlinable
  @discardableResult
  public func reduce<R: Sendable>(_ body: @Sendable (inout State) -> R) -> R {
    knot.write(by: ObjectIdentifier(self), body)
  }

  /// Replaces the state and notifies the observers; the old state is released last.
  @inlinable
  public func sink(_ state: State) {
    knot.exchange(for: state, by: ObjectIdentifier(self))
  }

  /// Reduces every event of a sequence; see ``StateHolder/consume(_:_:)``.
  @inlinable
  public func consume<Events: AsyncSequence & Sendable, Released: Sendable>(
    _ events: Events, _ reduce: @Sendable (Events.Element, inout State) -> Released
  ) async throws(Events.Failure) {
    let (core, holder) = (knot.core, ObjectIdentifier(self))
    try await events.forEachInSlices(on: self) { event in
      _ = core.write(by: holder, callsHooks: false) { reduce(event, &$0) }
    }
  }
}
