public import Synchronization

/// A handler that `observe` registered, kept by the storage of its knot and by a running turn.
@usableFromInline
final class Handler<State: Sendable>: Sendable {
  @usableFromInline let call: @Sendable (AnyObject, State) -> Void
  @usableFromInline let hasEnded = Atomic(false)

  /// Keeps the holder's address from other objects: a knot knows its holder by it alone.
  private unowned let holder: any AnyObject & Sendable

  init(of holder: any AnyObject & Sendable, _ call: @escaping @Sendable (AnyObject, State) -> Void)
  {
    self.holder = holder
    self.call = call
  }

  @inlinable
  func callUnlessEnded(_ holder: AnyObject, _ state: State) {
    if !hasEnded.load(ordering: .acquiring) { call(holder, state) }
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
    // A knot has one holder, which calls its handlers with itself.
    let handler = Handler<State>(of: holder) {
      unsafe call(unsafeDowncast($0, to: Holder.self), $1)
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
