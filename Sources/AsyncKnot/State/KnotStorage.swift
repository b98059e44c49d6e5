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
  /// Where the holder is in telling its own hooks.
  @usableFromInline var turn = Turn<State>()
  /// Whether the holder is gone.
  var isFinished = false
  /// What sibling modules keep with the holder, one object a type.
  var companions: [any Sendable & AnyObject] = []

  init(_ state: State) {
    self.state = state
  }

  /// Counts the state that was just written and collects who has to hear of it.
  @inlinable
  mutating func accept(hooked: Bool) -> News<State> {
    version &+= 1
    var news = News<State>()
    if !waiting.places.isEmpty { news.woken = waiting.wake() }
    if !inboxes.isEmpty { news.broadcast = (state, inboxes) }
    if hooked, turn.isWanted || !handlers.isEmpty {
      news.delivery = turn.accept(
        Delivery(state: state, handlers: handlers, tellsUpdate: turn.tellsUpdate))
    }
    return news
  }
}

/// Who has to hear of an accepted state, once the lock is released.
@usableFromInline
struct News<State: Sendable>: Sendable {
  /// Conflating observers to resume.
  @usableFromInline var woken = WaitList.Woken()
  /// The state, for the observers that buffer.
  @usableFromInline var broadcast: (state: State, inboxes: SlotTable<Inbox<State>>)?
  /// The state, for the holder's own hooks.
  @usableFromInline var delivery: Delivery<State>?

  @inlinable
  init() {}
}
