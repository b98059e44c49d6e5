public import Synchronization

/// Sends events to any number of subscribers.
///
/// Each subscriber receives, in order, all events sent after it subscribed, except those that a full buffer drops.
///
/// ```swift
/// let taps = EventChannel<Tap>()
/// let subscription = taps.subscribe()
/// taps.send(Tap(row: 3))
/// for await tap in subscription { open(tap.row) }
/// ```
/// Past events are not replayed. `send` never waits for a subscriber. All subscribers receive the events in the same order.
/// Releasing a channel finishes it.
public final class EventChannel<Event: Sendable>: Sendable {
  @usableFromInline let registry = EventRegistry<Event>()

  /// Creates a channel without subscribers.
  public init() {}

  deinit { registry.finish() }

  /// Sends an event to every subscriber, synchronously.
  ///
  /// Does nothing after `finish()`.
  ///
  /// You can call this method from any thread.
  ///
  /// - Complexity: O(subscribers).
  @inlinable public func send(_ event: Event) { registry.send(event) }

  /// Sends an event without a value.
  ///
  /// Does nothing after `finish()`.
  @inlinable public func send() where Event == Void { send(()) }

  /// Subscribes to the events that are sent after this call.
  ///
  /// The policy decides which events are dropped when the subscriber's buffer is full. Traps if the policy's limit is
  /// less than 1. The subscription ends when the sequence and its iterators are released.
  public func subscribe(
    buffering policy: AsyncStream<Event>.Continuation.BufferingPolicy = .unbounded
  ) -> EventSequence<Event> {
    policy.checkRoom(for: "event", in: "subscribe(buffering:)")
    return EventSequence(subscription: registry.subscribe(policy))
  }

  /// Ends every subscription: each subscriber receives its buffered events, then `nil`.
  public func finish() { registry.finish() }

  /// Whether the channel has a subscriber.
  ///
  /// Reading this property takes no lock.
  @inlinable package var hasSubscribers: Bool { registry.hasInboxes.load(ordering: .relaxed) }
}

@available(
  *, unavailable,
  message:
    "a channel is not a sequence: store 'let events = channel.subscribe()', then write 'for await event in events'"
)
extension EventChannel: AsyncSequence {
  /// Unavailable: events that are sent between two iterations would be lost.
  public func makeAsyncIterator() -> EventSequence<Event>.AsyncIterator {
    subscribe().makeAsyncIterator()
  }
}

/// The subscribers of a channel.
///
/// Subscriptions refer to this object, so they do not keep the channel alive.
@usableFromInline
final class EventRegistry<Event: Sendable>: Sendable {
  @usableFromInline
  struct Storage {
    @usableFromInline var inboxes = SlotTable<Inbox<Event>>()
    @usableFromInline var isFinished = false
  }

  @usableFromInline let storage = Mutex(Storage())

  @usableFromInline let hasInboxes = Atomic(false)

  /// Deposits an event in every inbox under one lock, so that all inboxes receive the events in the same order.
  ///
  /// Wakes the consumers after the lock is released.
  @inlinable
  func send(_ event: Event) {
    var woken: [Waiter] = []
    var dropped: [Event] = []
    storage.withLock { storage in
      // `finish()` ends the inboxes one by one without the lock, so an event sent meanwhile would reach only some of them.
      if storage.isFinished { return }
      // Iterate by index, because a loop over the slots would retain each inbox.
      for index in storage.inboxes.slots.indices {
        guard let deposit = storage.inboxes.slots[index].element?.deposit(event) else { continue }
        if let waiter = deposit.woken { woken.append(waiter) }
        if let event = deposit.dropped { dropped.append(event) }
      }
    }
    guard !woken.isEmpty else { return }
    Spawn.preemptionPoint()
    for waiter in woken { waiter.ring() }
  }

  func subscribe(_ policy: InboxState<Event>.Policy) -> Subscription<Event> {
    let inbox = Inbox<Event>(policy: policy, keepsLast: false)
    let ticket = storage.withLock { storage in
      if storage.isFinished { inbox.finish() }
      hasInboxes.store(true, ordering: .relaxed)
      return storage.inboxes.insert(inbox)
    }
    return Subscription(inbox) { [self] in remove(ticket) }
  }

  private func remove(_ ticket: UInt64) {
    _ = storage.withLock { storage in
      let removed = storage.inboxes.remove(ticket)
      hasInboxes.store(!storage.inboxes.isEmpty, ordering: .relaxed)
      return removed
    }
  }

  func finish() {
    let inboxes = storage.withLock { storage in
      storage.isFinished = true
      return storage.inboxes.elements
    }
    for inbox in inboxes {
      Spawn.preemptionPoint()
      inbox.finish()
    }
  }
}
