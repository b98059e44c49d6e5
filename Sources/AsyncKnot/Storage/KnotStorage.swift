/// What a knot keeps under its lock: the state and its observers.
@usableFromInline
struct KnotStorage<State: Sendable> {
  /// The newest accepted state.
  @usableFromInline var state: State
  /// The number of accepted states, the initial one included.
  ///
  /// An observer remembers the version that it has seen.
  @usableFromInline var version: UInt64 = 1
  /// The identity of the one object that writes the state; `nil` before its first write.
  @usableFromInline var holder: ObjectIdentifier?
  /// Conflating observers that have seen this version and are suspended.
  @usableFromInline var waiting = WaitList()
  /// The inboxes of the buffering observers; the writer fills them.
  @usableFromInline var inboxes = SlotTable<Inbox<State>>()
  /// Handlers that run within the turn of a reduction, on the holder's isolation.
  @usableFromInline var handlers = SlotTable<any Handler>()
  /// States that hooks wrote and that the hooks were not yet called for.
  @usableFromInline var pending = Fifo<Delivery<State>>()
  /// Whether the holder is gone.
  @usableFromInline var isFinished = false
  /// Objects that sibling modules store with the holder, one per type.
  var companions: [any Sendable & AnyObject] = []
  /// Closures to call when the holder goes.
  var endings = SlotTable<@Sendable () -> Void>()

  init(_ state: State) {
    self.state = state
  }

  /// Whether no sequence observes; handlers on the holder's isolation do not count.
  @inlinable var isUnobserved: Bool { waiting.places.isEmpty && inboxes.isEmpty }

  /// Collects the observers to notify of the state that was just written.
  @inlinable
  mutating func collectNews() -> News<State> {
    News(woken: waiting.wake(), state: inboxes.isEmpty ? nil : state, inboxes: inboxes.slots)
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

  /// Takes out the objects that must be released outside the lock, when the holder has gone.
  mutating func takeOwned() -> Owned<State> {
    let owned = Owned(
      inboxes: inboxes.elements, endings: endings.elements, handlers: handlers,
      companions: companions)
    handlers = SlotTable()
    companions = []
    endings = SlotTable()
    return owned
  }
}

/// What a knot's storage releases when the holder goes.
struct Owned<State: Sendable>: Sendable {
  let inboxes: [Inbox<State>]
  let endings: [@Sendable () -> Void]
  let handlers: SlotTable<any Handler>
  let companions: [any Sendable & AnyObject]
}

/// The observers to notify of an accepted state, once the lock is released.
@usableFromInline
struct News<State: Sendable>: Sendable {
  /// Conflating observers to resume.
  @usableFromInline var woken: WaitList.Woken
  /// The state; `nil` if no observer buffers.
  @usableFromInline let state: State?
  /// The inboxes of the observers that buffer.
  @usableFromInline let inboxes: [SlotTable<Inbox<State>>.Slot]

  @inlinable
  init(woken: WaitList.Woken, state: State?, inboxes: [SlotTable<Inbox<State>>.Slot]) {
    self.woken = woken
    self.state = state
    self.inboxes = inboxes
  }
}
