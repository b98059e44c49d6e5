public import Synchronization

/// A handler that `observe` registered, whatever its holder's type.
@usableFromInline
protocol Handler: AnyObject, Sendable {
  /// Keeps the handler from being called again, also within the turn that is running.
  func end()
}

/// A handler on an actor.
@usableFromInline
final class ActorHandler<Holder: Actor, State: Sendable>: Handler {
  @usableFromInline
  typealias Call = @Sendable (isolated Holder, State) -> Void

  @usableFromInline let call: Call
  @usableFromInline let ended = Atomic(false)

  init(_ call: @escaping Call) { self.call = call }

  @usableFromInline
  func end() { ended.store(true, ordering: .relaxed) }

  /// The handler as one of `Holder`, unless it has ended; ends the program where it is another's.
  ///
  /// An actor has no subclasses and a knot has one holder, so each handler of a knot is one of this type.
  @inlinable
  static func live(_ handler: any Handler) -> ActorHandler? {
    guard type(of: handler) == ActorHandler.self else { fatalError("a handler of another holder") }
    let handler = unsafe unsafeDowncast(handler, to: ActorHandler.self)
    return handler.ended.load(ordering: .relaxed) ? nil : handler
  }
}

/// A handler on the main actor.
///
/// It knows its view itself, because a view may reduce as what its superclass is.
@usableFromInline
final class ViewHandler<State: Sendable>: Handler {
  @usableFromInline
  typealias Call = @MainActor @Sendable (State) -> Void

  @usableFromInline let call: Call
  @usableFromInline let ended = Atomic(false)

  init(_ call: @escaping Call) { self.call = call }

  @usableFromInline
  func end() { ended.store(true, ordering: .relaxed) }

  /// The handler as one of a view, unless it has ended; ends the program where it is an actor's.
  @inlinable
  static func live(_ handler: any Handler) -> ViewHandler? {
    guard type(of: handler) == ViewHandler.self else { fatalError("a handler of another holder") }
    let handler = unsafe unsafeDowncast(handler, to: ViewHandler.self)
    return handler.ended.load(ordering: .relaxed) ? nil : handler
  }
}
