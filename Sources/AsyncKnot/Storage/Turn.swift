public import Synchronization

/// Where a holder is in telling its own hooks of what it accepted.
///
/// A state that a hook itself writes is told after the one that the hook was told of, however deeply
/// the writes are nested: `update` and the handlers see every state, in order.
///
/// Only the holder's isolation uses it, so its steps need no lock and no ordering between threads; the
/// atomic is what lets a `Sendable` class store it.
@usableFromInline
struct Turn: ~Copyable, Sendable {
  @usableFromInline
  struct Flags: OptionSet {
    @usableFromInline let rawValue: UInt8

    @inlinable
    init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Hooks are being told right now.
    @inlinable static var running: Flags { Flags(rawValue: 1) }
    /// A hook wrote states that are still to be told.
    @inlinable static var pending: Flags { Flags(rawValue: 2) }
    /// A layout is on its way for what was accepted since the last one.
    @inlinable static var layoutRequested: Flags { Flags(rawValue: 4) }
    /// The holder has no `update` of its own, as the first call of the default one has told.
    @inlinable static var withoutUpdate: Flags { Flags(rawValue: 8) }
    /// The holder has no `layout` of its own, as the first call of the default one has told.
    @inlinable static var withoutLayout: Flags { Flags(rawValue: 16) }
  }

  @usableFromInline let bits = Atomic<UInt8>(0)

  @inlinable
  init() {}

  @inlinable var flags: Flags {
    get { Flags(rawValue: bits.load(ordering: .relaxed)) }
    nonmutating set { bits.store(newValue.rawValue, ordering: .relaxed) }
  }

  /// Sets a flag.
  ///
  /// A method, because ThreadSanitizer takes each property on the way to `flags.insert` for written.
  @inlinable
  func insert(_ flag: Flags) { flags = flags.union(flag) }

  /// Clears a flag.
  @inlinable
  func remove(_ flag: Flags) { flags = flags.subtracting(flag) }

  /// Begins a turn; `false` when one is running, which will tell of the new state.
  @inlinable
  func begin() -> Bool {
    guard !flags.contains(.running) else { return false }
    flags.insert(.running)
    return true
  }

  /// Whether a layout has to be arranged for; it counts as requested after this.
  @inlinable
  func requestLayout() -> Bool {
    guard flags.isDisjoint(with: [.withoutLayout, .layoutRequested]) else { return false }
    flags.insert(.layoutRequested)
    return true
  }

  /// Whether a requested layout is still due; it is not after this.
  @inlinable
  func takeLayout() -> Bool {
    flags.remove(.layoutRequested) != nil
  }
}

/// One accepted state, and the handlers that were registered when it was accepted.
@usableFromInline
struct Delivery<State: Sendable>: Sendable {
  @usableFromInline let state: State
  @usableFromInline let handlers: SlotTable<any Handling>

  @inlinable
  init(state: State, handlers: SlotTable<any Handling>) {
    self.state = state
    self.handlers = handlers
  }
}
