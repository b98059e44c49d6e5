public import Synchronization

/// A handler that `observe` registered, whatever its holder's type.
@usableFromInline
class Handler: @unchecked Sendable {
  // Unchecked, because classes that are not final cannot be checked: the only state here is atomic, and
  // both subclasses are final and hold nothing but one `@Sendable` closure.

  @usableFromInline let ended = Atomic(false)

  @inlinable
  init() {}

  @inlinable final var hasEnded: Bool { ended.load(ordering: .relaxed) }

  /// Keeps the handler from being called again, also within the turn that is running.
  final func end() { ended.store(true, ordering: .relaxed) }
}

/// A handler on an actor.
@usableFromInline
final class ActorHandler<Holder: Actor, State: Sendable>: Handler, @unchecked Sendable {
  @usableFromInline
  typealias Call = @Sendable (isolated Holder, State) -> Void

  @usableFromInline let call: Call

  init(_ call: @escaping Call) { self.call = call }

  /// The handler as one of `Holder`; traps where it is another's.
  ///
  /// An actor has no subclasses and a knot has one holder, so each handler of a knot is one of this type.
  @inlinable
  static func cast(_ handler: Handler) -> ActorHandler {
    guard type(of: handler) == ActorHandler.self else { fatalError("a handler of another holder") }
    return unsafe unsafeDowncast(handler, to: ActorHandler.self)
  }
}

/// A handler on the main actor.
///
/// It knows its view itself, because a view may reduce as what its superclass is.
@usableFromInline
final class ViewHandler<State: Sendable>: Handler, @unchecked Sendable {
  @usableFromInline
  typealias Call = @MainActor @Sendable (State) -> Void

  @usableFromInline let call: Call

  init(_ call: @escaping Call) { self.call = call }

  /// The handler as one of a view; traps where it is an actor's.
  @inlinable
  static func cast(_ handler: Handler) -> ViewHandler {
    guard type(of: handler) == ViewHandler.self else { fatalError("a handler of another holder") }
    return unsafe unsafeDowncast(handler, to: ViewHandler.self)
  }
}
