public import AsyncKnot
public import Synchronization

@usableFromInline
final class Listener<Cause: Sendable, State: Sendable>: Sendable {
  /// Called with each transition, in its step, and with `nil` when all that was sent is carried out or
  /// dropped; returns whether it wants to hear more.
  @usableFromInline let hear: @Sendable (Transition<Cause, State>?) -> Bool

  @inlinable
  init(_ hear: @escaping @Sendable (Transition<Cause, State>?) -> Bool) { self.hear = hear }

  @inlinable
  func hears(_ change: Transition<Cause, State>?) -> Bool { hear(change) }
}

extension Desk {
  @usableFromInline typealias Change = Transition<Holder.ChangeCause, Holder.State>

  @inlinable
  func listen(_ hear: @escaping @Sendable (Change?) -> Bool) {
    let listener = Listener(hear)
    listeners.withLock { listeners in
      listeners.append(listener)
      hasListeners.store(true, ordering: .relaxed)
    }
  }

  @inlinable
  func changes<Element: Sendable>(
    _ pick: @escaping @Sendable (Change?) -> Element?
  ) -> EventSequence<Element> {
    let channel = EventChannel<Element>()
    let sequence = channel.subscribe()
    listen { change in
      guard channel.hasSubscribers else { return false }
      if let element = pick(change) { channel.send(element) }
      return true
    }
    return sequence
  }

  /// Calls all listeners, in the order in which they were added; no lock is held during the calls.
  @inlinable
  func tell(_ change: Change?) {
    let all = listeners.withLock { $0 }
    // By index: a loop over the elements would retain each.
    for index in all.indices where !all[index].hears(change) {
      listeners.withLock { listeners in
        listeners.removeAll { $0 === all[index] }
        hasListeners.store(!listeners.isEmpty, ordering: .relaxed)
      }
    }
  }

  @inlinable
  func write<Result: Sendable>(
    _ cause: @autoclosure () -> Holder.ChangeCause, to knot: Knot<Holder.State>,
    _ body: (inout Holder.State) -> Result
  ) -> Result {
    guard hasListeners.load(ordering: .relaxed) else { return knot.write(by: owner, body) }
    let (result, before, after) = knot.write(by: owner) { state in
      let before = state
      return (body(&state), before, state)
    }
    tell(Transition(cause: cause(), before: before, after: after))
    return result
  }

  /// Replaces the state and delivers the transition; the old state is released outside the lock.
  func replace(with state: Holder.State, in knot: Knot<Holder.State>) {
    let before = knot.exchange(for: state, by: owner)
    if hasListeners.load(ordering: .relaxed) {
      tell(Transition(cause: nil, before: before, after: state))
    }
  }
}

extension Dispatcher {
  /// The transitions from now on, in order: cause, state before, state after.
  ///
  /// The subscription begins when the property is read, and ends with the holder, or when the sequence
  /// and its iterators are dropped. Without a listener no state is copied or kept.
  @inlinable
  public nonisolated var transitions: EventSequence<Transition<ChangeCause, State>> {
    desk.changes { $0 }
  }

  package nonisolated var probePort: ProbePort<ChangeCause, State> {
    let desk = desk
    return ProbePort(changes: desk.changes { .some($0) }, count: { desk.unfinishedCount })
  }
}

/// A holder as the test kit's probes see it.
package struct ProbePort<Cause: Sendable, State: Sendable>: Sendable {
  /// The transitions, and `nil` each time everything that was sent is carried out.
  package let changes: EventSequence<Transition<Cause, State>?>
  let count: @Sendable () -> Int

  package var unfinishedCount: Int { count() }
}
