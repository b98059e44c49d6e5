import Observation

/// A key path that identifies a tracked path to the observation registrar.
///
/// A marker is never evaluated.
typealias PathMarker = KeyPath<PathSubject, Void>

/// The root type of all markers.
///
/// It is not generic, because generic key paths are slow to create.
final class PathSubject: Observable, Sendable {
  static let shared = PathSubject()

  subscript(id: UInt64) -> Void { () }
}

/// The tracked key paths of a state.
///
/// The registrar does not report when observation tracking ends, but at that time it releases the path's marker. So a path whose
/// marker is uniquely referenced is no longer tracked: its values are not compared again, and the path is removed.
struct TrackedPaths {
  final class Path {
    /// Retained, so that the key path's object identifier is not reused.
    private let keyPath: AnyKeyPath
    fileprivate let key: Key
    let comparison: PathComparison
    var marker: PathMarker { unsafe registered }
    /// The marker, without an exclusivity check, because the check would take as long as a comparison.
    ///
    /// The check is not needed: only `isTracked()` passes the marker `inout`, to a function that does not call other code.
    @exclusivity(unchecked) private var registered: PathMarker

    fileprivate init(_ keyPath: AnyKeyPath, _ key: Key, _ comparison: PathComparison, id: UInt64) {
      (self.keyPath, self.key, self.comparison) = (keyPath, key, comparison)
      unsafe registered = \.[id]
    }

    /// Returns whether the registrar holds the marker.
    ///
    /// If tracking ends on another thread in the meantime, the result may be `true`, and the path is compared one more time than
    /// necessary.
    func isTracked() -> Bool { unsafe !isKnownUniquelyReferenced(&registered) }
  }

  /// Identifies a key path by its object, because a key-path literal that captures nothing returns the same object each time.
  ///
  /// Equal key paths that are different objects are tracked separately.
  fileprivate struct Key: Hashable {
    let keyPath: ObjectIdentifier
    let index: AnyHashable?
  }

  private var paths: [Path] = []
  private var positions: [Key: Int] = [:]
  private var lastID: UInt64 = 0
  /// When this many paths are stored, adding another one first removes the untracked paths.
  private var limit = Self.smallest

  private static var smallest: Int { 64 }

  init() {}

  /// The number of key paths, including those that are no longer tracked but not yet removed.
  var count: Int { paths.count }

  /// Returns the marker of a key path, after adding the path if it is new; amortized O(1).
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

  /// Returns the tracked paths whose values differ, and the number of tracked paths.
  func changed(where differ: (PathComparison) -> Bool) -> (paths: [Path], trackedCount: Int) {
    var (changed, trackedCount) = ([Path](), 0)
    // Iterate by index, because a loop over the elements would retain each of them.
    for index in paths.indices where paths[index].isTracked() {
      trackedCount += 1
      if differ(paths[index].comparison) { changed.append(paths[index]) }
    }
    return (changed, trackedCount)
  }

  /// Removes the untracked paths if there are more than `smallest` paths and most of them are untracked.
  mutating func removeUntracked(trackedCount: Int) {
    if paths.count > Self.smallest, trackedCount < paths.count / 2 { sweep() }
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
