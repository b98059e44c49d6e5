public import Synchronization

/// The state machine of a holder's turn: the calls of its hooks.
///
/// A state that a hook writes is delivered after the state that the hook was called for, however
/// deeply the writes are nested. So `update` and the handlers receive every state, in order.
///
/// Only the holder's isolation uses a turn, so its steps need no lock and no ordering between
/// threads. The fields are atomic because a `Sendable` class stores the turn.
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
  /// The same for a layout that was postponed because a loop had yielded in the middle of its burst.
  @usableFromInline let postponedLayout = Atomic<UInt16>(0)
  /// The priorities of the loops that have yielded in the middle of a burst and not continued;
  /// read once a layout, and written once a slice.
  private let pausedPriorities = Mutex<[TaskPriority]>([])
  /// The number of yields since the last layout.
  @usableFromInline let slices = Atomic(0)

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
  /// - Parameter priority: The writer's priority; it is stored if a layout must be queued.
  /// - Returns: Whether to queue a layout.
  @inlinable
  func requestLayout(at priority: TaskPriority) -> Bool {
    let request = Self.request(at: priority)
    guard queuedLayout.load(ordering: .relaxed) < request else { return false }
    queuedLayout.store(request, ordering: .relaxed)
    return true
  }

  /// Whether the queued layout must be carried out now; afterwards none is queued.
  ///
  /// While a loop has yielded in the middle of a burst, the layout is postponed until the burst is
  /// over or has lasted for `slicesBetweenLayouts` slices. A layout that is more urgent than the
  /// loop does not wait for it (F2).
  @inlinable
  func takeLayout() -> Bool {
    let request = queuedLayout.exchange(0, ordering: .relaxed)
    guard request > 0 else { return false }
    let isPostponed =
      slices.load(ordering: .relaxed) < Self.slicesBetweenLayouts && mayWait(request)
    guard isPostponed else {
      clearLayout()
      return true
    }
    postponedLayout.max(request, ordering: .relaxed)
    return false
  }

  /// Whether a paused loop is at least as urgent as a requested layout.
  @usableFromInline
  func mayWait(_ request: UInt16) -> Bool {
    pausedPriorities.withLock { $0.contains { Self.request(at: $0) >= request } }
  }

  @inlinable
  static func request(at priority: TaskPriority) -> UInt16 { UInt16(priority.rawValue) + 1 }

  /// Clears all requests for a layout.
  @inlinable
  func clearLayout() {
    queuedLayout.store(0, ordering: .relaxed)
    postponedLayout.store(0, ordering: .relaxed)
    slices.store(0, ordering: .relaxed)
  }

  /// Counts a loop that yields in the middle of a burst.
  @usableFromInline
  func pauseBurst(at priority: TaskPriority) {
    slices.add(1, ordering: .relaxed)
    pausedPriorities.withLock { $0.append(priority) }
  }

  /// Counts a loop that continues its burst.
  ///
  /// - Parameter priority: The priority that was given to `pauseBurst(at:)`.
  /// - Returns: The priority of a layout that was postponed meanwhile; the caller must queue it
  ///   again.
  @usableFromInline
  func resumeBurst(at priority: TaskPriority) -> TaskPriority? {
    pausedPriorities.withLock { paused in
      if let index = paused.firstIndex(of: priority) { paused.remove(at: index) }
    }
    let request = postponedLayout.exchange(0, ordering: .relaxed)
    return request > 0 ? TaskPriority(rawValue: UInt8(request - 1)) : nil
  }

  /// The number of slices after which a lasting burst is laid out: about twenty times a second.
  @usableFromInline static var slicesBetweenLayouts: Int { 100 }
}

/// One accepted state, and the handlers that were registered when it was accepted.
@usableFromInline
struct Delivery<State: Sendable>: Sendable {
  @usableFromInline let state: State
  @usableFromInline let handlers: [SlotTable<any Handler>.Slot]

  @inlinable
  init(state: State, handlers: [SlotTable<any Handler>.Slot]) {
    self.state = state
    self.handlers = handlers
  }
}

extension KnotCore {
  /// Calls the hooks for an accepted state, then for each state that the hooks write.
  ///
  /// In a running turn this method only stores the state; the running turn delivers it.
  ///
  /// - Parameters:
  ///   - delivery: The state and its handlers.
  ///   - callHooks: Calls `update` and the handlers, on the holder's isolation.
  @inlinable
  func runTurn(_ delivery: Delivery<State>, _ callHooks: (Delivery<State>) -> Void) {
    guard turn.begin() else { return postpone(delivery) }
    callHooks(delivery)
    while let delivery = nextInTurn() { callHooks(delivery) }
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
