/// An object whose state can be read: the argument of `filter(with:_:)`, `withState(from:)` and
/// others.
///
/// Every `StateHolder` is a source, and so is a `Knot`. Adopt `StateSource` alone if only your own methods may change
/// the state:
///
/// ```swift
/// actor Thermometer: StateSource {
///   let session: Session
///   nonisolated var knot: Knot<SessionState> { session.knot }
///   init(of session: Session) { self.session = session }
/// }
/// ```
public protocol StateSource<State>: AnyObject, Sendable {
  /// The state.
  associatedtype State: Sendable

  /// The knot that stores the state.
  nonisolated var knot: Knot<State> { get }
}

extension StateSource {
  /// The newest state, read synchronously from any thread.
  ///
  /// A reducer must not read it, neither its own holder's nor another one's.
  @inlinable public nonisolated var state: State { knot.state }
}

/// A state with a default value, which a holder has before anything was written.
///
/// ```swift
/// struct Profile: KnotState {
///   var title = "-"
///   static func defaultState() -> Profile { Profile() }
/// }
/// ```
public protocol KnotState: Sendable {
  /// Returns the state with which a holder starts.
  static func defaultState() -> Self
}
