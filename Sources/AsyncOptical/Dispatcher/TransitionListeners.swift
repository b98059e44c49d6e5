public import AsyncKnot
public import Synchronization

/// What a holder tells those who listen.
@usableFromInline
package enum Record<Cause: Sendable, State: Sendable>: Sendable {
  /// The state changed.
  case transition(Transition<Cause, State>)
  /// Every message that was sent is carried out or dropped.
  case settled
}

/// The closures that are called with each transition, within the step that makes it, on the
/// holder's isolation.
///
/// The listeners are an object of their own, so that a history does not keep the desk, which ends
/// with the holder.
@usableFromInline
final class TransitionListeners<Cause: Sendable, State: Sendable>: Sendable {
  /// A closure that hears a record, and returns whether it wants to hear more.
  @usableFromInline
  final class Listener: Sendable {
    @usableFromInline let hear: @Sendable (Record<Cause, State>) -> Bool
    @inlinable
    init(_ hear: @escaping @Sendable (Record<Cause, State>) -> Bool) { self.hear = hear }
  }

  @usableFromInline let listeners = Mutex<[Listener]>([])
  @usableFromInline let hasAny = Atomic(false)

  init() {}

  /// Whether there is no listener; reading this takes no lock.
  @inlinable var isEmpty: Bool { !hasAny.load(ordering: .relaxed) }

  @inlinable
  func add(_ hear: @escaping @Sendable (Record<Cause, State>) -> Bool) {
    let listener = Listener(hear)
    listeners.withLock { listeners in
      listeners.append(listener)
      hasAny.store(true, ordering: .relaxed)
    }
  }

  /// A sequence of what a closure makes of the records; it ends with the holder.
  @inlinable
  func records<Element: Sendable>(
    _ pick: @escaping @Sendable (Record<Cause, State>) -> Element?
  ) -> EventSequence<Element> {
    let channel = EventChannel<Element>()
    let sequence = channel.subscribe()
    add { record in
      guard channel.hasSubscribers else { return false }
      if let element = pick(record) { channel.send(element) }
      return true
    }
    return sequence
  }

  /// Calls all listeners, in the order in which they were added; no lock is held during the calls.
  @inlinable
  func tell(_ record: Record<Cause, State>) {
    for listener in listeners.withLock({ $0 }) where !listener.hear(record) {
      remove { $0 === listener }
    }
  }

  /// Releases all listeners; called when the holder goes.
  func end() { remove { _ in true } }

  @usableFromInline
  func remove(_ isGone: (Listener) -> Bool) {
    let before = listeners.withLock { listeners in
      let before = listeners
      listeners.removeAll(where: isGone)
      hasAny.store(!listeners.isEmpty, ordering: .relaxed)
      return before
    }
    withExtendedLifetime(before) {}
  }
}

extension Desk {
  /// Reduces the state; creates and delivers a transition if anybody listens.
  @inlinable
  func write<Result: Sendable>(
    _ cause: @autoclosure () -> Holder.ChangeCause, to knot: Knot<Holder.State>,
    _ body: (inout Holder.State) -> Result
  ) -> Result {
    guard !listeners.isEmpty else { return knot.write(by: owner, body) }
    let (result, before, after) = knot.write(by: owner) { state in
      let before = state
      return (body(&state), before, state)
    }
    listeners.tell(.transition(Transition(cause: cause(), before: before, after: after)))
    return result
  }

  /// Replaces the state and delivers the transition; the old state is released outside the lock.
  func replace(with state: Holder.State, _ cause: Holder.ChangeCause, in knot: Knot<Holder.State>) {
    let before = knot.exchange(for: state, by: owner)
    guard !listeners.isEmpty else { return }
    listeners.tell(.transition(Transition(cause: cause, before: before, after: state)))
  }
}

extension Dispatcher {
  /// The transitions from now on, in order: cause, state before, state after.
  ///
  /// The subscription begins when the property is read. It buffers each transition until it is
  /// taken, and ends with the holder, or when the sequence and its iterators are dropped. Without a
  /// listener no state is copied or kept.
  @inlinable
  public nonisolated var transitions: EventSequence<Transition<ChangeCause, State>> {
    desk.listeners.records { if case .transition(let transition) = $0 { transition } else { nil } }
  }
}
