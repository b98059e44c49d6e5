/// An object whose state can be read, for example by `filter(with:_:)` and `withState(from:)`.
///
/// Every `StateHolder` is a source, and so is a `Knot`. Adopt only `StateSource` if your own methods should be the only way to
/// change the state:
///
/// ```swift
/// actor Thermometer: StateSource {
///   let session: Session
///   nonisolated var knot: Knot<SessionState> { session.knot }
///   init(of session: Session) { self.session = session }
/// }
/// ```
public protocol StateSource<State>: AnyObject, Sendable {
  /// The type of the state.
  associatedtype State: Sendable

  /// The knot that stores the state.
  nonisolated var knot: Knot<State> { get }
}

extension StateSource {
  /// The newest state, read synchronously from any thread.
  ///
  /// Traps if a reducer reads it, because a reducer may not use any holder, not even its own.
  @inlinable public nonisolated var state: State { knot.state }

  /// The knot to use for a write, an observation or a message.
  ///
  /// A debug build traps if `knot` returns a different object at each read, because no observer would see the writes.
  @inlinable package nonisolated var ownKnot: Knot<State> {
    let knot = knot
    assert(
      knot === self.knot,
      """
      \(Self.self): 'knot' returns a different object at each read, so writes are lost. Store it: \
      'let knot = Knot(…)'.
      """)
    return knot
  }
}

/// A state with a default value, which is the initial state of `Knot()`.
///
/// ```swift
/// struct Profile: KnotState {
///   var title = "-"
///   static func defaultState() -> Profile { Profile() }
/// }
/// ```
public protocol KnotState: Sendable {
  /// Returns the default state.
  static func defaultState() -> Self
}
