/// What a knot keeps under its lock: the state, and everybody who wants to hear of it.
@usableFromInline
struct KnotStorage<State: Sendable> {
  /// The newest accepted state.
  @usableFromInline var state: State
  /// How many states were accepted, the initial one included.
  ///
  /// An observer remembers the version it has seen.
  @usableFromInline var version: UInt64 = 1
  /// Conflating observers that have seen this version and are suspended.
  @usableFromInline var waiting = WaitList()
  /// Observers that buffer, each with the inbox that the writer fills.
  @usableFromInline var inboxes = SlotTable<Inbox<State>>()
  /// Handlers that run within the turn of a reduction, on the holder's isolation.
  @usableFromInline var handlers = SlotTable<any Handling>()
  /// States that hooks wrote, still to be told to the hooks.
  @usableFromInline var pending = Fifo<Delivery<State>>()
  /// Whether the holder is gone.
  @usableFromInline var isFinished = false
  /// What sibling modules keep with the holder, one object a type.
  var companions: [any Sendable & AnyObject] = []

  init(_ state: State) {
    self.state = state
  }

  /// Whether nobody observes from outside the holder's isolation.
  @inlinable var isUnobserved: Bool { waiting.places.isEmpty && inboxes.isEmpty }

  /// Collects who has to hear of the state that was just written.
  @inlinable
  mutating func collectNews() -> News<State> {
    News(woken: waiting.wake(), state: inboxes.isEmpty ? nil : state, inboxes: inboxes)
  }
}

/// Who has to hear of an accepted state, once the lock is released.
@usableFromInline
struct News<State: Sendable>: Sendable {
  /// Conflating observers to resume.
  @usableFromInline var woken: WaitList.Woken
  /// The state, where observers buffer.
  @usableFromInline let state: State?
  /// The observers that buffer.
  @usableFromInline let inboxes: SlotTable<Inbox<State>>

  @inlinable
  init(woken: WaitList.Woken, state: State?, inboxes: SlotTable<Inbox<State>>) {
    self.woken = woken
    self.state = state
    self.inboxes = inboxes
  }
}
