public import AsyncKnot

/// What a desk tells those who listen.
@usableFromInline
package enum Record<Cause: Sendable, State: Sendable>: Sendable {
  case transition(Transition<Cause, State>)
  /// Everything that was sent is carried out or dropped; only probes are told.
  case settled
}

extension Desk {
  /// Whether anybody wants to hear of transitions.
  @inlinable var hasListeners: Bool { records.hasSubscribers || !listeners.isEmpty }

  /// Writes the state, and tells of the transition where anybody listens.
  @inlinable
  func write<Result: Sendable>(
    _ cause: @autoclosure () -> Holder.ChangeCause, to knot: Knot<Holder.State>,
    _ body: (inout Holder.State) -> Result
  ) -> Result {
    guard hasListeners else { return knot.write(body) }
    let (result, before, after) = knot.write { state in
      let before = state
      return (body(&state), before, state)
    }
    tell(Transition(cause: cause(), before: before, after: after))
    return result
  }

  /// Exchanges the state; the old one dies when no lock is held.
  func replace(with state: Holder.State, _ cause: Holder.ChangeCause, in knot: Knot<Holder.State>) {
    let before = knot.write { current in
      defer { current = state }
      return current
    }
    guard hasListeners else { return }
    tell(Transition(cause: cause, before: before, after: state))
  }

  @inlinable
  func tell(_ transition: Transition<Holder.ChangeCause, Holder.State>) {
    if !listeners.isEmpty { listeners.tell(transition) }
    if records.hasSubscribers { records.send(.transition(transition)) }
  }
}
