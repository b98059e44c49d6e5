public import Synchronization

/// A handler that `observe` registered, kept by the storage of its knot and by a running turn.
@usableFromInline
final class Handler<State: Sendable>: Sendable {
  @usableFromInline let call: @Sendable (State) -> Void
  @usableFromInline let hasEnded = Atomic(false)

  /// Keeps the holder's address from other objects: the closure knows the holder by it alone.
  private unowned let holder: any AnyObject & Sendable

  init(of holder: any AnyObject & Sendable, _ call: @escaping @Sendable (State) -> Void) {
    self.holder = holder
    self.call = call
  }
}

/// One accepted state, and the handlers that were registered when it was accepted, if any.
@usableFromInline
typealias Delivery<State: Sendable> = (
  state: State, handlers: [SlotTable<Handler<State>>.Slot]?
)

extension KnotCore {
  /// Registers a handler for every state from now on; traps if another object writes this knot.
  ///
  /// The cast drops the handler's isolation: only the holder's turns, which have it, call it.
  @unsafe func register<Holder: AnyObject & Sendable, Isolated: Sendable>(
    of holder: Holder, unsafeIsolated handler: Isolated
  ) -> StateObservation {
    let call = unsafe unsafeBitCast(handler, to: (@Sendable (Holder, State) -> Void).self)
    // The holder is there in its turns, though perhaps in its `isolated deinit`, where a weak or a
    // checked reference would not find it.
    let handler = Handler<State>(of: holder) { [unowned(unsafe) holder] in
      unsafe call(holder, $0)
    }
    let ticket = withStorage { storage in
      storage.claim(for: ObjectIdentifier(holder))
      return storage.handlers.insert(handler)
    }
    return StateObservation { [self] in
      remove { storage in
        let handler = storage.handlers.remove(ticket)
        handler?.hasEnded.store(true, ordering: .releasing)
        return handler
      }
    }
  }
}
