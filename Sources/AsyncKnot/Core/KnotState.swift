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
