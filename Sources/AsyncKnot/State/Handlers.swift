import Synchronization

/// A handler that `observe` registered, whatever its holder's type.
@usableFromInline
protocol Handling: AnyObject, Sendable {
  /// Whether its observation has ended, perhaps within the turn that is running.
  var hasEnded: Bool { get }

  /// Keeps the handler from being called again.
  func end()
}

/// A handler on an actor.
final class ActorHandler<Holder: StateHolder & Actor>: Handling {
  typealias Handler = @Sendable (isolated Holder, Holder.State) -> Void

  let call: Handler
  private let ended = Atomic(false)

  init(_ call: @escaping Handler) { self.call = call }

  var hasEnded: Bool { ended.load(ordering: .relaxed) }

  func end() { ended.store(true, ordering: .relaxed) }
}

/// A handler on the main actor.
final class ViewHandler<Holder: StateHolder>: Handling {
  typealias Handler = @MainActor @Sendable (Holder, Holder.State) -> Void

  let call: Handler
  private let ended = Atomic(false)

  init(_ call: @escaping Handler) { self.call = call }

  var hasEnded: Bool { ended.load(ordering: .relaxed) }

  func end() { ended.store(true, ordering: .relaxed) }
}

extension KnotCore {
  /// Has a handler called for every state from now on, until its observation ends.
  func register(_ handler: some Handling) -> Observation {
    let ticket = withStorage { $0.handlers.insert(handler) }
    return Observation { [weak self, weak handler] in
      handler?.end()
      let removed = self?.withStorage { $0.handlers.remove(ticket) }
      withExtendedLifetime(removed) {}
    }
  }

  /// Notes that the holder has no `update` of its own.
  func declineUpdate() { withStorage { $0.turn.tellsUpdate = false } }

  /// Notes that the holder has no `layout` of its own.
  func declineLayout() { withStorage { $0.turn.tellsLayout = false } }

  /// Whether a requested layout is still due; it is not after this.
  func takeLayout() -> Bool { withStorage { $0.turn.takeLayout() } }
}
