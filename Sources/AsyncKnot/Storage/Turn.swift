public import Synchronization

/// Where a holder is in calling its own hooks.
///
/// A state that a hook writes is delivered after the one that the hook was called for, however deeply
/// the writes are nested: `update` and the handlers see every state, in order.
///
/// Only the holder's isolation uses it, so its steps need no lock and no ordering between threads. The
/// atomics are here because a `Sendable` class stores the turn.
@usableFromInline
struct Turn: ~Copyable, Sendable {
  @usableFromInline
  enum Phase: UInt8, AtomicRepresentable, Sendable {
    /// No hook is being called.
    case idle
    /// Hooks are being called.
    case running
    /// Hooks are being called, and one of them wrote states that are still to be delivered.
    case runningWithMore
  }

  @usableFromInline let phase = Atomic(Phase.idle)
  /// The highest priority at which a layout is on its way; 0 when none is.
  @usableFromInline let layoutPriority = Atomic<UInt8>(0)
  /// Whether a layout came while a loop had given way, and is due when that goes on.
  @usableFromInline let isLayoutPutOff = Atomic(false)
  /// How many loops have given way in the middle of a burst.
  @usableFromInline let pausedLoops = Atomic(0)
  /// How often loops gave way since the last layout.
  @usableFromInline let slices = Atomic(0)

  @inlinable
  init() {}

  /// Begins a turn; `false` when one is running, which will deliver the new state.
  @inlinable
  func begin() -> Bool {
    guard phase.load(ordering: .relaxed) == .idle else { return false }
    phase.store(.running, ordering: .relaxed)
    return true
  }

  /// Whether a layout has to be queued at this priority: none is on its way, or only a less urgent one.
  @inlinable
  func requestLayout(at priority: TaskPriority) -> Bool {
    guard layoutPriority.load(ordering: .relaxed) < priority.rawValue else { return false }
    layoutPriority.store(priority.rawValue, ordering: .relaxed)
    return true
  }

  /// Whether a requested layout is to be carried out now; none is on its way after this.
  ///
  /// While a loop has given way in the middle of a burst, a layout is put off until the burst is over, or
  /// has lasted for many slices.
  @inlinable
  func takeLayout() -> Bool {
    guard layoutPriority.load(ordering: .relaxed) > 0 else { return false }
    layoutPriority.store(0, ordering: .relaxed)
    let isPutOff =
      pausedLoops.load(ordering: .relaxed) > 0
      && slices.load(ordering: .relaxed) < Self.slicesBetweenLayouts
    if isPutOff { isLayoutPutOff.store(true, ordering: .relaxed) } else { clearLayout() }
    return !isPutOff
  }

  /// Notes that nothing is left to be laid out.
  @inlinable
  func clearLayout() {
    layoutPriority.store(0, ordering: .relaxed)
    isLayoutPutOff.store(false, ordering: .relaxed)
    slices.store(0, ordering: .relaxed)
  }

  /// Notes that a loop gives way in the middle of a burst.
  @usableFromInline
  func pauseBurst() {
    pausedLoops.add(1, ordering: .relaxed)
    slices.add(1, ordering: .relaxed)
  }

  /// Notes that a loop goes on with its burst.
  ///
  /// - Returns: Whether a layout was put off meanwhile.
  @usableFromInline
  func resumeBurst() -> Bool {
    pausedLoops.subtract(1, ordering: .relaxed)
    return isLayoutPutOff.exchange(false, ordering: .relaxed)
  }

  /// A burst that lasts is drawn about ten times a second.
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
  /// Calls the hooks for an accepted state, and for those that the hooks write.
  ///
  /// - Parameters:
  ///   - delivery: The state.
  ///   - callHooks: Calls `update` and the handlers, on the holder's isolation.
  @inlinable
  func runTurn(_ delivery: Delivery<State>, _ callHooks: (Delivery<State>) -> Void) {
    guard turn.begin() else { return postpone(delivery) }
    callHooks(delivery)
    while let delivery = nextInTurn() { callHooks(delivery) }
  }

  /// Keeps a state that a hook wrote until the running turn gets to it.
  @usableFromInline
  func postpone(_ delivery: Delivery<State>) {
    withStorage { $0.pending.append(delivery) }
    turn.phase.store(.runningWithMore, ordering: .relaxed)
  }

  /// The next state that a hook wrote; `nil` ends the turn.
  @inlinable
  func nextInTurn() -> Delivery<State>? {
    if turn.phase.load(ordering: .relaxed) == .runningWithMore { return takePending() }
    turn.phase.store(.idle, ordering: .relaxed)
    return nil
  }

  @usableFromInline
  func takePending() -> Delivery<State>? {
    let (delivery, isLast) = withStorage { ($0.pending.popFirst(), $0.pending.isEmpty) }
    if isLast { turn.phase.store(.running, ordering: .relaxed) }
    return delivery
  }
}
