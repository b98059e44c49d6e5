/// What a knot keeps under its lock: the state and its observers.
@usableFromInline
struct KnotStorage<State: Sendable> {
  /// The newest accepted state.
  @usableFromInline var state: State
  /// The number of accepted states, the initial one included.
  @usableFromInline var version: UInt64 = 1
  /// The identity of the one object that writes the state; `nil` before its first write.
  @usableFromInline var holder: ObjectIdentifier?
  /// Conflating observers that have seen this version and wait.
  @usableFromInline var waiting = SlotTable<Waiter>()
  /// The inboxes of the buffering observers; the writer fills them.
  @usableFromInline var inboxes = SlotTable<Inbox<State>>()
  /// Handlers that run within the turn of a reduction, on the holder's isolation.
  @usableFromInline var handlers = SlotTable<Handler<State>>()
  /// States that hooks wrote and that the hooks were not yet called for.
  @usableFromInline var pending = Fifo<Delivery<State>>()
  /// Whether the holder is gone.
  @usableFromInline var isFinished = false

  init(_ state: State) {
    self.state = state
  }

  /// Whether no sequence observes; handlers on the holder's isolation do not count.
  @inlinable var isUnobserved: Bool { waiting.isEmpty && inboxes.isEmpty }

  /// Takes the waiting observers out, to be notified of the state that was just written.
  @inlinable
  mutating func collectNews() -> News<State> {
    News(woken: waiting.removeAll(), state: inboxes.isEmpty ? nil : state, inboxes: inboxes.slots)
  }

  /// Makes an object the one that writes this knot; traps if another object is that already.
  ///
  /// Hooks and handlers run on the isolation of the object that writes. With two such objects they
  /// would run on the wrong isolation, and one object would not hear of the other's writes.
  @inlinable
  mutating func claim(for object: ObjectIdentifier) {
    if holder != object { claimFirst(for: object) }
  }

  @usableFromInline
  mutating func claimFirst(for object: ObjectIdentifier) {
    guard holder == nil else { Self.refuseSecondHolder() }
    holder = object
  }

  static func refuseSecondHolder() -> Never {
    fatalError(
      """
      Two holders share one Knot<\(State.self)>: only one object may write it and have its hooks \
      called. Give each holder a knot of its own, or let the second adopt StateSource, which only reads.
      """)
  }
}

/// The observers to notify of an accepted state, once the lock is released.
@usableFromInline
struct News<State: Sendable>: Sendable {
  /// Conflating observers.
  @usableFromInline let woken: [SlotTable<Waiter>.Slot]
  /// The state; `nil` if no observer buffers.
  @usableFromInline let state: State?
  /// The inboxes of the observers that buffer.
  @usableFromInline let inboxes: [SlotTable<Inbox<State>>.Slot]

  @inlinable
  init(
    woken: [SlotTable<Waiter>.Slot], state: State?, inboxes: [SlotTable<Inbox<State>>.Slot]
  ) {
    self.woken = woken
    self.state = state
    self.inboxes = inboxes
  }

  /// Notifies the observers, those that wait in the order in which they began to; no lock may be
  /// held.
  ///
  /// - Parameter isLast: Whether the holder is gone: then the inboxes are finished.
  @inlinable @inline(never)
  func publish(isLast: Bool = false) {
    if !woken.isEmpty { ring() }
    for slot in inboxes {
      if isLast { slot.element?.finish() } else if let state { slot.element?.push(state) }
    }
  }

  @usableFromInline
  func ring() {
    Spawn.preemptionPoint()
    for slot in woken { slot.element?.ring() }
  }
}
