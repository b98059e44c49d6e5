/// What a knot keeps under its lock: the state, and everybody who wants to hear of it.
@usableFromInline
struct KnotStorage<State: Sendable> {
  /// The newest accepted state.
  @usableFromInline var state: State
  /// How many states were accepted, the initial one included.
  ///
  /// An observer remembers the version it has seen.
  @usableFromInline var version: UInt64 = 1
  /// The one object that writes the state and has its hooks called; `nil` before its first write.
  @usableFromInline var holder: ObjectIdentifier?
  /// Conflating observers that have seen this version and are suspended.
  @usableFromInline var waiting = WaitList()
  /// Observers that buffer, each with the inbox that the writer fills.
  @usableFromInline var inboxes = SlotTable<Inbox<State>>()
  /// Handlers that run within the turn of a reduction, on the holder's isolation.
  @usableFromInline var handlers = SlotTable<any Handler>()
  /// States that hooks wrote, still to be told to the hooks.
  @usableFromInline var pending = Fifo<Delivery<State>>()
  /// Whether the holder is gone.
  @usableFromInline var isFinished = false
  /// What sibling modules keep with the holder, one object a type.
  var companions: [any Sendable & AnyObject] = []
  /// What is to be called when the holder goes.
  var endings = SlotTable<@Sendable () -> Void>()

  init(_ state: State) {
    self.state = state
  }

  /// Whether nobody observes from outside the holder's isolation.
  @inlinable var isUnobserved: Bool { waiting.places.isEmpty && inboxes.isEmpty }

  /// Collects who has to hear of the state that was just written.
  @inlinable
  mutating func collectNews() -> News<State> {
    News(woken: waiting.wake(), state: inboxes.isEmpty ? nil : state, inboxes: inboxes.slots)
  }

  /// Makes an object the one that writes here; ends the program where another one does already.
  ///
  /// Hooks and handlers run on the isolation of the object that writes. With two of them they would run
  /// on an isolation that is not theirs.
  @inlinable
  mutating func claim(for object: ObjectIdentifier) {
    if holder != object { claimFirst(for: object) }
  }

  @usableFromInline
  mutating func claimFirst(for object: ObjectIdentifier) {
    guard holder == nil else {
      fatalError(
        """
        Two holders share one Knot<\(State.self)>: only one object may write it and have its hooks \
        called. Give each holder a knot of its own, or let the second adopt StateSource, which only reads.
        """)
    }
    holder = object
  }

  /// Takes out what must not die under the lock, when the holder has gone.
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

/// What a knot's storage lets go of when the holder goes.
struct Owned<State: Sendable>: Sendable {
  let inboxes: [Inbox<State>]
  let endings: [@Sendable () -> Void]
  let handlers: SlotTable<any Handler>
  let companions: [any Sendable & AnyObject]
}

/// Who has to hear of an accepted state, once the lock is released.
@usableFromInline
struct News<State: Sendable>: Sendable {
  /// Conflating observers to resume.
  @usableFromInline var woken: WaitList.Woken
  /// The state, where observers buffer.
  @usableFromInline let state: State?
  /// The observers that buffer.
  @usableFromInline let inboxes: [SlotTable<Inbox<State>>.Slot]

  @inlinable
  init(woken: WaitList.Woken, state: State?, inboxes: [SlotTable<Inbox<State>>.Slot]) {
    self.woken = woken
    self.state = state
    self.inboxes = inboxes
  }
}
