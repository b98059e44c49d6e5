import Observation

/// The key path by which a registrar identifies a tracked path; it leads to no value.
typealias PathMarker = KeyPath<PathSubject, Void>

/// The subject of all markers; not generic, because a generic key path is slow to make.
final class PathSubject: Observable, Sendable {
  static let shared = PathSubject()

  subscript(id: UInt64) -> Void { () }
}

/// The tracked key paths of a state.
///
/// The registrar does not report when a tracking ends, but it then drops the marker that it was given. So
/// a path whose marker nobody else holds is no longer compared, and is removed.
struct TrackedPaths {
  final class Path {
    /// Kept, so that no other key path gets its identity.
    private let keyPath: AnyKeyPath
    fileprivate let key: Key
    let comparison: PathComparison
    private(set) var marker: PathMarker

    fileprivate init(_ keyPath: AnyKeyPath, _ key: Key, _ comparison: PathComparison, id: UInt64) {
      (self.keyPath, self.key, self.comparison, marker) = (keyPath, key, comparison, \.[id])
    }

    /// A tracking that ends on another thread meanwhile may still count: then the path is compared
    /// once too often.
    func isTracked() -> Bool { !isKnownUniquelyReferenced(&marker) }
  }

  /// A key path literal is one object; equal ones that are not the same are paths of their own.
  fileprivate struct Key: Hashable {
    let keyPath: ObjectIdentifier
    let index: AnyHashable?
  }

  private var paths: [Path] = []
  private var positions: [Key: Int] = [:]
  private var lastID: UInt64 = 0
  /// The number of paths at which untracked ones are looked for.
  private var limit = Self.smallest

  private static var smallest: Int { 64 }

  init() {}

  /// The number of key paths; some of them may no longer be tracked.
  var count: Int { paths.count }

  /// The marker by which the registrar identifies a key path; O(1), amortised.
  mutating func marker(
    of keyPath: AnyKeyPath, at index: AnyHashable?, comparison: () -> PathComparison
  ) -> PathMarker {
    let key = Key(keyPath: ObjectIdentifier(keyPath), index: index)
    if let position = positions[key] { return paths[position].marker }
    if paths.count >= limit { sweep() }
    lastID += 1
    let path = Path(keyPath, key, comparison(), id: lastID)
    add(path)
    return path.marker
  }

  mutating func tracked() -> [Path] {
    let tracked = paths.filter { $0.isTracked() }
    if paths.count > Self.smallest, tracked.count < paths.count / 2 { sweep() }
    return tracked
  }

  private mutating func sweep() {
    let old = paths
    (paths, positions) = ([], [:])
    for path in old where path.isTracked() { add(path) }
    limit = max(Self.smallest, 2 * paths.count)
  }

  private mutating func add(_ path: Path) {
    positions[path.key] = paths.count
    paths.append(path)
  }
}
