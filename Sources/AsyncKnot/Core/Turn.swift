/// An accepted state and the handlers that were registered when it was accepted, if any.
@usableFromInline
typealias Delivery<State: Sendable> = (
  state: State, handlers: [SlotTable<Handler<State>>.Slot]?
)

/// The state machine of a holder's turn: the calls to its hooks and a queued layout.
///
/// If a hook writes a state, that state is delivered after the one that the hook was called with.
@usableFromInline
struct Turn<State: Sendable>: Sendable {
  /// Whether a hook is running.
  @usableFromInline var isRunning = false
  /// The states that the turn still has to deliver.
  @usableFromInline var waiting = Fifo<Delivery<State>>()
  /// The priority of the queued layout; `nil` if none is queued.
  @usableFromInline var queuedLayout: TaskPriority?
  private var lastLayout: ContinuousClock.Instant?

  @inlinable init() {}

  /// Begins a turn.
  ///
  /// If a turn is already running, adds the state to that turn and returns `false`.
  @inlinable
  mutating func begin(with delivery: @autoclosure () -> Delivery<State>) -> Bool {
    guard isRunning else {
      isRunning = true
      return true
    }
    postpone(delivery())
    return false
  }

  /// Neither this method nor `takeWaiting()` is inlined, because inlining the two makes the loop of a pipe half as fast.
  @inlinable @inline(never)
  mutating func postpone(_ delivery: Delivery<State>) { waiting.append(delivery) }

  /// Returns the next state to deliver, or ends the turn and returns `nil`.
  @inlinable
  mutating func next() -> Delivery<State>? {
    if !waiting.isEmpty { return takeWaiting() }
    isRunning = false
    return nil
  }

  @inlinable @inline(never) mutating func takeWaiting() -> Delivery<State>? { waiting.popFirst() }

  /// Returns `true` if the caller must queue a layout.
  ///
  /// Returns `false` if a layout with the same or a higher priority is already queued.
  @inlinable
  mutating func requestLayout(at priority: TaskPriority) -> Bool {
    if let queuedLayout, queuedLayout >= priority { return false }
    queuedLayout = priority
    return true
  }

  /// Returns the time until the queued layout is due; `nil` if no layout is queued.
  ///
  /// In an exploration, a queued layout is due immediately.
  func timeToLayout() -> Duration? {
    guard queuedLayout != nil else { return nil }
    guard !Spawn.isExplored, let lastLayout else { return .zero }
    return lastLayout + .milliseconds(16) - .now
  }

  /// Records that a layout is running now, and drops a queued one.
  mutating func beginLayout() {
    queuedLayout = nil
    lastLayout = .now
  }
}

/// Only the holder's isolation calls these methods and uses the turn. The methods of the turn do not call other code, so access
/// to the turn needs no check for exclusivity.
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

  /// Calls the hooks for a state, and then for each state that is added to the turn.
  ///
  /// Returns `false` if a turn is already running; that turn then delivers the state.
  @inlinable @discardableResult
  func runTurn(
    with delivery: Delivery<State>, of holder: AnyObject, _ update: (State) -> Void
  ) -> Bool {
    let hasBegun = unsafe turn.begin(with: delivery)
    // Call the closures that the reducer deferred. A state that such a closure writes is delivered after this one.
    Reducer.carryOutEndings()
    guard hasBegun else { return false }
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
    // Iterate by index, because a loop over the slots would retain each handler.
    for index in handlers.indices {
      handlers[index].element?.callUnlessEnded(holder, state)
    }
  }

  /// Draws the current state and lays it out.
  ///
  /// During a turn, the state is drawn after the states that are already waiting, and the layout that follows the turn lays out
  /// the newest state.
  func render(on holder: AnyObject, _ update: (State) -> Void, _ layout: () -> Void) {
    if runTurn(with: (state, nil), of: holder, update) { layOut(layout) }
  }

  /// Runs the queued layout if it is due; otherwise returns the time until it is due.
  ///
  /// Returns `nil` if the layout has run or if none was queued.
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
