public import Synchronization

/// The state machine of a holder's turn: the calls of its hooks.
///
/// A state that a hook writes is delivered after the one that the hook was called for. Only the
/// holder's isolation uses a turn; the fields are atomic because a `Sendable` class stores them.
@usableFromInline
struct Turn: ~Copyable, Sendable {
  @usableFromInline
  enum Phase: UInt8, AtomicRepresentable, Sendable {
    case idle
    case running
    /// A hook wrote states that are not yet delivered.
    case runningWithMore
  }

  @usableFromInline let phase = Atomic(Phase.idle)
  /// One more than the highest priority of a queued layout, which may be 0; 0 if none is queued.
  @usableFromInline let queuedLayout = Atomic<UInt16>(0)
  private let lastLayout = Mutex<ContinuousClock.Instant?>(nil)

  @inlinable
  init() {}

  /// Begins a turn; returns `false` if one is running, which will deliver the new state.
  @inlinable
  func begin() -> Bool {
    guard phase.load(ordering: .relaxed) == .idle else { return false }
    phase.store(.running, ordering: .relaxed)
    return true
  }

  /// Whether the caller must queue a layout: none is queued, or one of lower priority.
  @inlinable
  func requestLayout(at priority: TaskPriority) -> Bool {
    let request = UInt16(priority.rawValue) + 1
    guard queuedLayout.load(ordering: .relaxed) < request else { return false }
    queuedLayout.store(request, ordering: .relaxed)
    return true
  }

  /// Carries out a queued layout, or returns how long it has to wait for its frame, which takes no
  /// time in an exploration.
  func layOutIfDue(_ layout: () -> Void) -> Duration? {
    guard queuedLayout.load(ordering: .relaxed) > 0 else { return nil }
    if !Spawn.isExplored, let last = lastLayout.withLock({ $0 }) {
      let rest = last + Self.frame - .now
      if rest > .zero { return rest }
    }
    layOut(layout)
    return nil
  }

  /// Carries out a layout now; a queued one is dropped.
  func layOut(_ layout: () -> Void) {
    queuedLayout.store(0, ordering: .relaxed)
    lastLayout.withLock { $0 = .now }
    layout()
  }

  private static var frame: Duration { .milliseconds(16) }
}

extension KnotCore {
  @inlinable
  func deliver<Layout>(
    _ delivery: Delivery<State>?, to holder: AnyObject, layout: Layout.Type,
    _ update: (State) -> Void, _ queueLayout: () -> Void
  ) {
    if let delivery { runTurn(delivery, of: holder, update) }
    if Layout.self != Never?.self, turn.requestLayout(at: Task.currentPriority) { queueLayout() }
  }

  /// Calls the hooks for an accepted state, then for each state that they write; a running turn takes
  /// the state over.
  @inlinable
  func runTurn(_ delivery: Delivery<State>, of holder: AnyObject, _ update: (State) -> Void) {
    guard turn.begin() else { return postpone(delivery) }
    callHooks(delivery, of: holder, update)
    while let delivery = nextInTurn() { callHooks(delivery, of: holder, update) }
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

  /// Not inlined, like `takePending()`: with them in it, the loop of a pipe is half as fast.
  @inlinable @inline(never)
  func postpone(_ delivery: Delivery<State>) {
    withStorage { $0.pending.append(delivery) }
    turn.phase.store(.runningWithMore, ordering: .relaxed)
  }

  /// The next state that a hook wrote; without one the turn ends.
  @inlinable
  func nextInTurn() -> Delivery<State>? {
    if turn.phase.load(ordering: .relaxed) == .runningWithMore { return takePending() }
    turn.phase.store(.idle, ordering: .relaxed)
    return nil
  }

  @inlinable @inline(never)
  func takePending() -> Delivery<State>? {
    let (delivery, isLast) = withStorage { ($0.pending.popFirst(), $0.pending.isEmpty) }
    if isLast { turn.phase.store(.running, ordering: .relaxed) }
    return delivery
  }
}
