public import Synchronization

/// A handler that `observe` registered; its type does not show the holder's type.
@usableFromInline
protocol Handler: AnyObject, Sendable {
  /// Whether the handler has ended.
  var mark: HandlerMark { get }
}

/// Whether a handler has ended: an object of its own, because an observation that ends a handler
/// must not keep it.
@usableFromInline
final class HandlerMark: Sendable {
  @usableFromInline let ended = Atomic(false)

  /// Whether the handler has ended.
  @inlinable var isEnded: Bool { ended.load(ordering: .relaxed) }

  /// Ends the handler: it is not called again, not even later in a running turn.
  func end() { ended.store(true, ordering: .relaxed) }
}

/// A handler on an actor.
@usableFromInline
final class ActorHandler<Holder: Actor, State: Sendable>: Handler {
  @usableFromInline
  typealias Call = @Sendable (isolated Holder, State) -> Void

  @usableFromInline let call: Call
  @usableFromInline let mark = HandlerMark()

  init(_ call: @escaping Call) { self.call = call }

  /// Casts a handler to this type; returns `nil` if the handler has ended.
  ///
  /// Traps if the handler belongs to another holder. That cannot happen: an actor has no subclasses
  /// and a knot has one holder, so each handler of a knot has this type.
  @inlinable
  static func live(_ handler: any Handler) -> ActorHandler? {
    guard type(of: handler) == ActorHandler.self else { fatalError("a handler of another holder") }
    let handler = unsafe unsafeDowncast(handler, to: ActorHandler.self)
    return handler.mark.isEnded ? nil : handler
  }
}

/// A handler on the main actor.
///
/// The closure captures its view and does not take it as a parameter, because a view may reduce
/// through its superclass's type.
@usableFromInline
final class ViewHandler<State: Sendable>: Handler {
  @usableFromInline
  typealias Call = @MainActor @Sendable (State) -> Void

  @usableFromInline let call: Call
  @usableFromInline let mark = HandlerMark()

  init(_ call: @escaping Call) { self.call = call }

  /// Casts a handler to this type; returns `nil` if the handler has ended.
  ///
  /// Traps if the handler belongs to an actor.
  @inlinable
  static func live(_ handler: any Handler) -> ViewHandler? {
    guard type(of: handler) == ViewHandler.self else { fatalError("a handler of another holder") }
    let handler = unsafe unsafeDowncast(handler, to: ViewHandler.self)
    return handler.mark.isEnded ? nil : handler
  }
}
