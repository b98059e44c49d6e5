public import Synchronization

/// The state machine of a holder's turn: the calls of its hooks.
///
/// A state that a hook writes is delivered after the state that the hook was called for, however
/// deeply the writes are nested. So `update` and the handlers receive every state, in order.
///
/// Only the holder's isolation uses a turn. The fields are atomic, without an ordering, because a
/// `Sendable` class stores them.
@usableFromInline
struct Turn: ~Copyable, Sendable {
  @usableFromInline
  enum Phase: UInt8, AtomicRepresentable, Sendable {
    /// No hook is being called.
    case idle
    /// Hooks are being called.
    case running
    /// Hooks are being called, and one of them wrote states that are not yet delivered.
    case runningWithMore
  }

  @usableFromInline let phase = Atomic(Phase.idle)
  /// One more than the highest priority of a queued layout; 0 if none is queued.
  ///
  /// Outside of any task the priority may be 0.
  @usableFromInline let queuedLayout = Atomic<UInt16>(0)
  /// When the last layout began.
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

  /// Whether the caller must queue a layout: none is queued, or only one of lower priority.
  ///
  /// - Parameter priority: The writer's priority.
  /// - Returns: Whether to queue a layout.
  @inlinable
  func requestLayout(at priority: TaskPriority) -> Bool {
    let request = UInt16(priority.rawValue) + 1
    guard queuedLayout.load(ordering: .relaxed) < request else { return false }
    queuedLayout.store(request, ordering: .relaxed)
    return true
  }

  /// Carries out a queued layout, if there is one and a frame has passed since the last one.
  ///
  /// In an exploration a frame takes no time.
  ///
  /// - Returns: How long the layout has to wait for its frame; `nil` if nothing is left to do.
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
  /// Calls the hooks for an accepted state, then for each state that the hooks write.
  ///
  /// In a running turn this method only stores the state; the running turn delivers it.
  ///
  /// - Parameters:
  ///   - delivery: The state and its handlers.
  ///   - update: Calls the node's `update`, on the holder's isolation.
  @inlinable
  func runTurn(_ delivery: Delivery<State>, _ update: (State) -> Void) {
    guard turn.begin() else { return postpone(delivery) }
    update(delivery.state)
    delivery.callHandlers()
    while let delivery = nextInTurn() {
      update(delivery.state)
      delivery.callHandlers()
    }
  }

  /// Stores a state that a hook wrote until the running turn delivers it.
  ///
  /// It is not inlined, nor is `takePending()`: with them in it, the loop of a pipe is half as fast.
  @inlinable @inline(never)
  func postpone(_ delivery: Delivery<State>) {
    withStorage { $0.pending.append(delivery) }
    turn.phase.store(.runningWithMore, ordering: .relaxed)
  }

  /// The next state that a hook wrote; `nil` if there is none, which ends the turn.
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
