/// One accepted state, and the handlers that were registered when it was accepted, if any.
@usableFromInline
typealias Delivery<State: Sendable> = (
  state: State, handlers: [SlotTable<Handler<State>>.Slot]?
)

/// The state machine of a holder's turn: the calls of its hooks, and a layout that is queued.
///
/// A state that a hook writes is delivered after the one that the hook was called for.
@usableFromInline
struct Turn<State: Sendable>: Sendable {
  /// Whether hooks are being called.
  @usableFromInline var isRunning = false
  /// States that hooks wrote, for which the hooks were not yet called.
  @usableFromInline var waiting = Fifo<Delivery<State>>()
  /// The highest priority of a queued layout; `nil` if none is queued.
  @usableFromInline var queuedLayout: TaskPriority?
  private var lastLayout: ContinuousClock.Instant?

  @inlinable init() {}

  /// Begins a turn; returns `false` if one is running, which takes the state over.
  @inlinable
  mutating func begin(with delivery: @autoclosure () -> Delivery<State>) -> Bool {
    guard isRunning else {
      isRunning = true
      return true
    }
    postpone(delivery())
    return false
  }

  /// Not inlined, like `takeWaiting()`: with them in it, the loop of a pipe is half as fast.
  @inlinable @inline(never)
  mutating func postpone(_ delivery: Delivery<State>) { waiting.append(delivery) }

  /// The next state that a hook wrote; without one the turn ends.
  @inlinable
  mutating func next() -> Delivery<State>? {
    if !waiting.isEmpty { return takeWaiting() }
    isRunning = false
    return nil
  }

  @inlinable @inline(never) mutating func takeWaiting() -> Delivery<State>? { waiting.popFirst() }

  /// Whether the caller must queue a layout: none is queued, or one of lower priority.
  @inlinable
  mutating func requestLayout(at priority: TaskPriority) -> Bool {
    if let queuedLayout, queuedLayout >= priority { return false }
    queuedLayout = priority
    return true
  }

  /// How long a queued layout has to wait for its frame, which takes no time in an exploration; `nil` if
  /// none is queued.
  func timeToLayout() -> Duration? {
    guard queuedLayout != nil else { return nil }
    guard !Spawn.isExplored, let lastLayout else { return .zero }
    return lastLayout + .milliseconds(16) - .now
  }

  /// Notes that a layout is carried out now; a queued one is dropped.
  mutating func beginLayout() {
    queuedLayout = nil
    lastLayout = .now
  }
}

/// Only the holder's isolation calls these, and uses the turn. No transition of it calls other code.
extension KnotCore {
  @inlinable
  func deliver<Layout>(
    _ delivery: Delivery<State>?, to holder: AnyObject, layout: Layout.Type,
    _ update: (State) -> Void, _ queueLayout: () -> Void
  ) {
    if let delivery { runTurn(with: delivery, of: holder, update) }
    if Layout.self != Never?.self, unsafe turn.requestLayout(at: Task.currentPriority) {
      queueLayout()
    }
  }

  /// Calls the hooks for a state, then for each state that they write; returns `false` if a running turn
  /// takes the state over.
  @inlinable @discardableResult
  func runTurn(
    with delivery: Delivery<State>, of holder: AnyObject, _ update: (State) -> Void
  ) -> Bool {
    guard unsafe turn.begin(with: delivery) else { return false }
    callHooks(delivery, of: holder, update)
    while let delivery = unsafe turn.next() { callHooks(delivery, of: holder, update) }
    return true
  }

  @inlinable @inline(__always)
  func callHooks(_ delivery: Delivery<State>, of holder: AnyObject, _ update: (State) -> Void) {
    update(delivery.state)
    if let handlers = delivery.handlers { call(handlers, holder, delivery.state) }
  }

  @inlinable @inline(never)
  func call(
    _ handlers: [SlotTable<Handler<State>>.Slot], _ holder: AnyObject, _ state: State
  ) {
    // By index: a loop over the slots would retain each handler.
    for index in handlers.indices {
      handlers[index].element?.callUnlessEnded(holder, state)
    }
  }

  /// Draws the current state and lays it out; within a turn it is drawn after the states that wait, and
  /// laid out with the newest.
  func render(on holder: AnyObject, _ update: (State) -> Void, _ layout: () -> Void) {
    if runTurn(with: (state, nil), of: holder, update) { layOut(layout) }
  }

  /// Carries out a queued layout, or returns how long it has to wait for its frame.
  func layOutIfDue(_ layout: () -> Void) -> Duration? {
    guard let rest = unsafe turn.timeToLayout() else { return nil }
    if rest > .zero { return rest }
    layOut(layout)
    return nil
  }

  private func layOut(_ layout: () -> Void) {
    unsafe turn.beginLayout()
    layout()
  }
}
