public import Synchronization

/// A handler that `observe` registered, whatever its holder's type.
@usableFromInline
protocol Handling: AnyObject, Sendable {
  /// Keeps the handler from being called again, also within the turn that is running.
  func end()
}

/// A handler on an actor.
@usableFromInline
final class ActorHandler<Holder: StateHolder & Actor>: Handling {
  @usableFromInline
  typealias Handler = @Sendable (isolated Holder, Holder.State) -> Void

  @usableFromInline let call: Handler
  @usableFromInline let ended = Atomic(false)

  init(_ call: @escaping Handler) { self.call = call }

  @inlinable var hasEnded: Bool { ended.load(ordering: .relaxed) }

  @usableFromInline
  func end() { ended.store(true, ordering: .relaxed) }
}

/// A handler on the main actor.
@usableFromInline
final class ViewHandler<Holder: StateHolder>: Handling {
  @usableFromInline
  typealias Handler = @MainActor @Sendable (Holder, Holder.State) -> Void

  @usableFromInline let call: Handler
  @usableFromInline let ended = Atomic(false)

  init(_ call: @escaping Handler) { self.call = call }

  @inlinable var hasEnded: Bool { ended.load(ordering: .relaxed) }

  @usableFromInline
  func end() { ended.store(true, ordering: .relaxed) }
}

extension KnotCore {
  /// Has a handler called for every state from now on, until its observation ends.
  func register(_ handler: some Handling) -> Observation {
    let ticket = withStorage { $0.handlers.insert(handler) }
    // A weak reference would make every reference count of the core slow; `finish` breaks the cycle.
    return Observation {
      handler.end()
      let removed = self.withStorage { $0.handlers.remove(ticket) }
      withExtendedLifetime(removed) {}
    }
  }
}
