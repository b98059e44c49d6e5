public import AsyncKnot

/// What a desk sends to probes and to `transitions`.
@usableFromInline
package enum Record<Cause: Sendable, State: Sendable>: Sendable {
  /// The state changed.
  case transition(Transition<Cause, State>)
  /// Every message that was sent is carried out or dropped; only sent while there is a probe.
  case settled
}

extension Desk {
  /// Whether there is a listener or subscriber; reading this takes no lock.
  @inlinable var hasListeners: Bool { records.hasSubscribers || !listeners.isEmpty }

  /// Reduces the state; creates and delivers a transition if there is a listener or subscriber.
  ///
  /// - Parameters:
  ///   - cause: The cause, evaluated only for a transition.
  ///   - knot: The holder's knot; the call must be on the holder's isolation.
  ///   - body: The reducer.
  /// - Returns: The reducer's result.
  @inlinable
  func write<Result: Sendable>(
    _ cause: @autoclosure () -> Holder.ChangeCause, to knot: Knot<Holder.State>,
    _ body: (inout Holder.State) -> Result
  ) -> Result {
    guard hasListeners else { return knot.write(by: owner, body) }
    let (result, before, after) = knot.write(by: owner) { state in
      let before = state
      return (body(&state), before, state)
    }
    tell(Transition(cause: cause(), before: before, after: after))
    return result
  }

  /// Replaces the state and delivers the transition; the old state is released outside the lock.
  func replace(with state: Holder.State, _ cause: Holder.ChangeCause, in knot: Knot<Holder.State>) {
    let before = knot.exchange(for: state, by: owner)
    guard hasListeners else { return }
    tell(Transition(cause: cause, before: before, after: state))
  }

  /// Delivers a transition to the listeners, then to the subscribers.
  @inlinable
  func tell(_ transition: Transition<Holder.ChangeCause, Holder.State>) {
    if !listeners.isEmpty { listeners.tell(transition) }
    if records.hasSubscribers { records.send(.transition(transition)) }
  }
}
