/// A state with a default value, which a holder has before anything was written.
///
/// ```swift
/// struct Profile: KnotState {
///   var title = "-"
///   static func defaultState() -> Profile { Profile() }
/// }
/// ```
public protocol KnotState: Sendable {
  /// The state with which a holder starts.
  ///
  /// - Returns: The default state.
  static func defaultState() -> Self
}
