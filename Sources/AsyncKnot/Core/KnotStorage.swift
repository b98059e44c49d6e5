/// What a knot keeps under its lock: the state and its observers.
@usableFromInline
struct KnotStorage<State: Sendable> {
  @usableFromInline var state: State
  /// The number of accepted states, the initial one included.
  @usableFromInline var version: UInt64 = 1
  /// The identity of the one object that writes the state; `nil` before its first write.
  @usableFromInline var holder: ObjectIdentifier?
  /// Conflating observers that have seen this version and wait.
  @usableFromInline var waiting = SlotTable<Waiter>()
  @usableFromInline var inboxes = SlotTable<Inbox<State>>()
  @usableFromInline var handlers = SlotTable<Handler<State>>()
  /// States that hooks wrote, for which the hooks were not yet called.
  @usableFromInline var pending = Fifo<Delivery<State>>()
  @usableFromInline var isFinished = false

  init(_ state: State) {
    self.state = state
  }

  /// Whether no sequence observes.
  @inlinable var isUnobserved: Bool { waiting.isEmpty && inboxes.isEmpty }

  /// Makes an object the one that writes this knot, on whose isolation hooks and handlers run; traps
  /// if another one is.
  @inlinable
  mutating func claim(for object: ObjectIdentifier) {
    if holder != object { claimFirst(for: object) }
  }

  @usableFromInline
  mutating func claimFirst(for object: ObjectIdentifier) {
    guard holder == nil else { Knot<State>.refuseSecondHolder() }
    holder = object
  }
}

/// The observers to notify of an accepted state, once the lock is released.
@usableFromInline
struct News<State: Sendable>: Sendable {
  @usableFromInline let woken: [SlotTable<Waiter>.Slot]
  /// The state; `nil` if no observer buffers.
  @usableFromInline let state: State?
  @usableFromInline let inboxes: [SlotTable<Inbox<State>>.Slot]

  @inlinable
  init(from storage: inout KnotStorage<State>) {
    woken = storage.waiting.removeAll()
    inboxes = storage.inboxes.slots
    state = inboxes.isEmpty ? nil : storage.state
  }

  /// Notifies the observers, in the order in which they registered; no lock may be held.
  @inlinable @inline(never)
  func publish(isLast: Bool = false) {
    if !woken.isEmpty { Spawn.preemptionPoint() }
    for slot in woken { slot.element?.ring() }
    for slot in inboxes {
      if isLast { slot.element?.finish() } else if let state { slot.element?.push(state) }
    }
  }
}
