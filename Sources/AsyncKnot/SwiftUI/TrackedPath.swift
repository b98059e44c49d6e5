import Observation

/// One key path of a state, and the comparison of its values.
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

  /// Whether this path has this key path object and is no element of a collection.
  func isPath(_ keyPath: AnyKeyPath) -> Bool { index == nil && self.keyPath === keyPath }

  /// Whether another object than this path holds the marker: the path is tracked.
  ///
  /// A tracking that ends on another thread meanwhile may still count; then the path is compared
  /// once more than needed.
  func isTracked() -> Bool { !isKnownUniquelyReferenced(&marker) }
}

/// The key path by which a registrar identifies a tracked path; it leads to no value.
typealias PathMarker = KeyPath<PathSubject, Void>

/// The subject of all markers.
///
/// The type is not generic, because the runtime resolves the types of a generic key path anew each
/// time it makes one.
final class PathSubject: Observable, Sendable {
  static let shared = PathSubject()

  subscript(id: UInt64) -> Void { () }
}
