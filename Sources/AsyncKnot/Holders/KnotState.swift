/// A state that knows what it is before anything has happened.
///
/// ```swift
/// struct Profile: KnotState {
///   var title = "-"
///   static func defaultState() -> Profile { Profile() }
/// }
/// ```
public protocol KnotState: Sendable {
  /// The state a holder starts with.
  static func defaultState() -> Self
}
