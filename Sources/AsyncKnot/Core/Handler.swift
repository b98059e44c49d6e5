public import Synchronization

/// A handler that `observe` registered; it is called in the turns of its holder.
@usableFromInline
final class Handler<State: Sendable>: Sendable {
  @usableFromInline let call: Mutex<(@Sendable (State) -> Void)?>

  /// While this reference exists, no other object gets the holder's address: the closure refers to
  /// the holder by its address alone.
  private unowned let holder: any AnyObject & Sendable

  /// Creates a handler.
  ///
  /// - Parameters:
  ///   - holder: The holder.
  ///   - call: The closure, to be called on the holder's isolation.
  init(of holder: any AnyObject & Sendable, _ call: @escaping @Sendable (State) -> Void) {
    self.holder = holder
    self.call = Mutex(call)
  }

  /// The closure; `nil` once the handler has ended.
  @inlinable var closure: (@Sendable (State) -> Void)? { call.withLock { $0 } }

  /// Ends the handler and releases its closure; a call that runs elsewhere completes.
  func end() {
    let closure = call.withLock { $0.take() }
    Reducer.afterwards { withExtendedLifetime(closure) {} }
  }
}

/// One accepted state, and the handlers that were registered when it was accepted.
@usableFromInline
struct Delivery<State: Sendable>: Sendable {
  @usableFromInline let state: State
  @usableFromInline let handlers: [SlotTable<Handler<State>>.Slot]

  @inlinable
  init(state: State, handlers: [SlotTable<Handler<State>>.Slot]) {
    self.state = state
    self.handlers = handlers
  }

  /// Calls the handlers that have not ended meanwhile.
  @inlinable
  func callHandlers() {
    for slot in handlers { slot.element?.closure?(state) }
  }
}
