public import AsyncKnot
public import Synchronization

/// What a desk tells those who listen.
@usableFromInline
package enum Record<Cause: Sendable, State: Sendable>: Sendable {
  case transition(Transition<Cause, State>)
  /// All that was sent is carried out or dropped.
  case settled
}

extension Desk {
  /// Writes the state, and logs the transition where anybody listens.
  @inlinable
  func write<Result: Sendable>(
    _ cause: @autoclosure () -> W.Cause, to knot: Knot<W.Holder.State>,
    _ body: (inout W.Holder.State) -> Result
  ) -> Result {
    guard records.hasSubscribers else { return knot.write(body) }
    let (result, before, after) = knot.write { state in
      let before = state
      return (body(&state), before, state)
    }
    records.send(.transition(Transition(cause: cause(), before: before, after: after)))
    return result
  }

  /// Exchanges the state; the old one dies when no lock is held.
  func replace(with state: W.Holder.State, _ cause: W.Cause, in knot: Knot<W.Holder.State>) {
    let before = knot.write { current in
      defer { current = state }
      return current
    }
    guard records.hasSubscribers else { return }
    records.send(.transition(Transition(cause: cause, before: before, after: state)))
  }

  /// Tells the probes, if there are any, when nothing is left to be carried out.
  @inlinable
  func tellProbes() {
    if probeCount.load(ordering: .relaxed) > 0 { settle() }
  }

  @usableFromInline
  func settle() {
    if unfinishedCount == 0 { records.send(.settled) }
  }
}
