/// Where a holder is in telling its own hooks of what it accepted.
///
/// A state that a hook itself writes is told after the one that the hook was told of, however deeply
/// the writes are nested: `update` and the handlers see every state, in order.
@usableFromInline
struct Turn<State: Sendable>: Sendable {
  /// What follows in a turn.
  @usableFromInline
  enum Step: Sendable {
    /// Tell the hooks of one more state.
    case deliver(Delivery<State>)
    /// The hooks were told everything: arrange for one `layout()`.
    case requestLayout
    /// Nothing is left.
    case end
  }

  /// Whether the holder has a hook of its own, as far as is known.
  @inlinable var isWanted: Bool { tellsUpdate || tellsLayout }

  /// Whether `update` is the holder's own; known after the first call of the default one.
  @usableFromInline var tellsUpdate = true
  /// Whether `layout` is the holder's own; known after the first call of the default one.
  @usableFromInline var tellsLayout = true
  /// Whether a layout is on its way for what was accepted since the last one.
  var isLayoutRequested = false
  /// Whether hooks are being told right now.
  @usableFromInline var isRunning = false
  /// States that hooks wrote, still to be told.
  private var pending = Fifo<Delivery<State>>()

  init() {}

  /// Takes in a state that was just accepted.
  ///
  /// - Returns: The delivery to carry out now, or `nil` when there is none or a turn is running.
  @usableFromInline
  mutating func accept(_ delivery: Delivery<State>) -> Delivery<State>? {
    guard isRunning else {
      isRunning = true
      return delivery
    }
    pending.append(delivery)
    return nil
  }

  /// Goes on after a delivery was carried out.
  mutating func advance() -> Step {
    if let delivery = pending.popFirst() { return .deliver(delivery) }
    isRunning = false
    guard tellsLayout, !isLayoutRequested else { return .end }
    isLayoutRequested = true
    return .requestLayout
  }

  /// Whether a requested layout is still due; it is not after this.
  mutating func takeLayout() -> Bool {
    defer { isLayoutRequested = false }
    return isLayoutRequested
  }
}

/// One accepted state, and the handlers that were registered when it was accepted.
@usableFromInline
struct Delivery<State: Sendable>: Sendable {
  @usableFromInline let state: State
  @usableFromInline let handlers: SlotTable<any Handling>
  @usableFromInline let tellsUpdate: Bool

  @inlinable
  init(state: State, handlers: SlotTable<any Handling>, tellsUpdate: Bool) {
    self.state = state
    self.handlers = handlers
    self.tellsUpdate = tellsUpdate
  }
}
