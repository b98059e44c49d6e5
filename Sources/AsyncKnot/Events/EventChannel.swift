public import Synchronization

/// Sends events to any number of subscribers: each receives all events sent after it subscribed, in
/// order.
///
/// ```swift
/// let taps = EventChannel<Tap>()
/// let subscription = taps.subscribe()
/// taps.send(Tap(row: 3))
/// for await tap in subscription { open(tap.row) }
/// ```
/// There is no replay. `send` never waits for a subscriber, and all of them receive all events in one
/// order. A channel that is released finishes first.
public final class EventChannel<Event: Sendable>: Sendable {
  @usableFromInline let registry = EventRegistry<Event>()

  /// Creates a channel without subscribers.
  public init() {}

  deinit { registry.finish() }

  /// Sends an event to every subscriber, in O(subscribers), synchronously and from any thread; does
  /// nothing after `finish()`.
  @inlinable public func send(_ event: Event) { registry.send(event) }

  /// Sends an event that has no value; does nothing after `finish()`.
  @inlinable public func send() where Event == Void { send(()) }

  /// Subscribes to the events that are sent from now on.
  ///
  /// The policy says which are dropped when the subscriber's buffer is full; a bound below 1 traps. The
  /// subscription ends when the sequence and its iterators are dropped.
  public func subscribe(
    buffering policy: AsyncStream<Event>.Continuation.BufferingPolicy = .unbounded
  ) -> EventSequence<Event> {
    policy.checkRoom(for: "event", in: "subscribe(buffering:)")
    return EventSequence(subscription: registry.subscribe(policy))
  }

  /// Ends every subscription: subscribers receive the buffered events, then `nil`.
  public func finish() { registry.finish() }

  /// Whether there is any subscriber; reading this takes no lock.
  @inlinable package var hasSubscribers: Bool { registry.hasInboxes.load(ordering: .relaxed) }
}

@available(
  *, unavailable,
  message:
    "a channel is no sequence: keep 'let events = channel.subscribe()', then write 'for await event in events'"
)
extension EventChannel: AsyncSequence {
  /// Is refused: events that are sent between two iterations would be lost.
  public func makeAsyncIterator() -> EventSequence<Event>.AsyncIterator {
    subscribe().makeAsyncIterator()
  }
}

/// The subscribers of a channel; a subscription holds this object, not the channel.
@usableFromInline
final class EventRegistry<Event: Sendable>: Sendable {
  @usableFromInline
  struct Storage {
    @usableFromInline var inboxes = SlotTable<Inbox<Event>>()
    @usableFromInline var isFinished = false
  }

  @usableFromInline let storage = Mutex(Storage())

  @usableFromInline let hasInboxes = Atomic(false)

  /// Deposits an event in every inbox, under one lock for the sake of the order; then wakes consumers.
  @inlinable
  func send(_ event: Event) {
    var woken: [Waiter] = []
    var dropped: [Event] = []
    storage.withLock { storage in
      // By index: a loop over the slots would retain each inbox.
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
    for inbox in inboxes { inbox.finish() }
  }
}
