import Observation

/// One key path of a state, and how to find out whether its value has changed.
@MainActor
final class TrackedPath {
  let keyPath: AnyKeyPath
  let index: AnyHashable?
  let comparison: PathComparison
  private(set) var marker: PathMarker

  init(
    _ keyPath: AnyKeyPath, _ index: AnyHashable?, id: UInt64,
    _ comparison: PathComparison
  ) {
    (self.keyPath, self.index, self.comparison) = (keyPath, index, comparison)
    marker = \.[id]
  }

  /// Whether this is the path of a key path object, not of an element.
  func isPath(_ keyPath: AnyKeyPath) -> Bool { index == nil && self.keyPath === keyPath }

  /// Whether somebody besides this path holds its marker.
  ///
  /// A tracking that ends on another thread meanwhile may still count: then the path is compared once
  /// more than needed.
  func isTracked() -> Bool { !isKnownUniquelyReferenced(&marker) }
}

/// What a registrar knows a tracked path by: a key path object of its own, which leads nowhere.
typealias PathMarker = KeyPath<PathSubject, Void>

/// The subject of all markers.
///
/// It is not generic: the runtime resolves the types of a generic key path anew each time it makes one.
final class PathSubject: Observable, Sendable {
  static let shared = PathSubject()

  subscript(id: UInt64) -> Void { () }
}
