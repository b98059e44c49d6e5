import Observation

/// The tracked key paths of a state.
///
/// The type is not generic, because the runtime would look the generic types up for each new state.
///
/// The `ObservationRegistrar` does not report when a tracking ends, but it then drops the marker
/// that it was given. So a path whose marker no other object holds is no longer compared, and is
/// removed.
@MainActor
struct TrackedPaths {
  /// A tracked value: a key path, or one element of the collection at the key path.
  private struct Key: Hashable {
    let keyPath: AnyKeyPath
    let index: AnyHashable?
  }

  private var paths: [TrackedPath] = []
  private var positions: [Key: Int] = [:]
  /// The positions of paths by their key path objects; a key path literal is one object.
  private var known: [ObjectIdentifier: Int] = [:]
  /// The position of the path that is likely to be read next.
  private var likely = 0
  private var nextID: UInt64 = 0
  /// The number of paths at which untracked ones are removed.
  private var limit = 16
  /// The number of states in a row at which most paths were untracked.
  private var idleStates = 0

  init() {}

  /// The number of key paths; some of them may no longer be tracked.
  var count: Int { paths.count }

  /// The marker by which the registrar identifies a key path; adds the path at its first read.
  ///
  /// - Complexity: O(1), amortised.
  mutating func marker(
    of keyPath: AnyKeyPath, at index: AnyHashable? = nil,
    comparison: () -> PathComparison
  ) -> PathMarker {
    // A view reads the same paths in the same order each time it is drawn.
    let isLikely = index == nil && likely < paths.count && paths[likely].isPath(keyPath)
    if let position = isLikely ? likely : position(of: keyPath, at: index) {
      likely = position + 1
      return paths[position].marker
    }
    if paths.count >= limit { sweep() }
    nextID += 1
    let path = TrackedPath(keyPath, index, id: nextID, comparison())
    add(path)
    return path.marker
  }

  private func position(of keyPath: AnyKeyPath, at index: AnyHashable?) -> Int? {
    if index == nil, let position = known[ObjectIdentifier(keyPath)] { return position }
    return positions[Key(keyPath: keyPath, index: index)]
  }

  /// The tracked paths, to be compared in two states; removes the others now and then.
  ///
  /// A tracking ends with a change and mostly begins anew, with the same paths: so the others are
  /// removed only after some states at which they were the majority.
  ///
  /// - Complexity: O(key paths).
  mutating func tracked() -> [TrackedPath] {
    let tracked = paths.filter { $0.isTracked() }
    idleStates = tracked.count < paths.count - tracked.count ? idleStates + 1 : 0
    if idleStates == 16 { sweep() }
    return tracked
  }

  /// Removes the untracked paths.
  private mutating func sweep() {
    idleStates = 0
    let old = paths
    paths.removeAll(keepingCapacity: true)
    positions.removeAll(keepingCapacity: true)
    known.removeAll(keepingCapacity: true)
    for path in old where path.isTracked() { add(path) }
    limit = max(16, 2 * paths.count)
  }

  private mutating func add(_ path: TrackedPath) {
    positions[Key(keyPath: path.keyPath, index: path.index)] = paths.count
    if path.index == nil { known[ObjectIdentifier(path.keyPath)] = paths.count }
    paths.append(path)
  }
}
