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
  /// The place of each path's value in the state.
  private var places: [PathPlace] = []
  private var words = OccupiedWords()
  private var positions: [Key: Int] = [:]
  /// The positions of paths by their key path objects; a key path literal is one object.
  private var known: [ObjectIdentifier: Int] = [:]
  /// The position of the path that is likely to be read next.
  private var likely = 0
  private var nextID: UInt64 = 0
  /// The number of paths at which untracked ones are removed.
  private var limit = 16
  /// The number of states until untracked paths are counted.
  private var countdown = TrackedPaths.shortest
  /// The number of states between two counts.
  private var interval = TrackedPaths.shortest

  private static let shortest = 16

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

  /// The key paths in whose values some bytes differ; their `==` decides whether the values do.
  ///
  /// It calls no code of users: a value's `==` may read other paths, which changes the table.
  ///
  /// - Parameter states: The bytes of the old and the new state.
  /// - Returns: The paths.
  /// - Complexity: O(bytes of the state) where no byte of a tracked value differs, else O(key paths).
  mutating func suspects(in states: BytePair) -> [TrackedPath] {
    countState()
    guard states.mayDiffer(in: words) else { return [] }
    // A tracking ends when one of its values changes, so its other paths may soon be untracked.
    interval = Self.shortest
    countdown = min(countdown, interval)
    var suspects: [TrackedPath] = []
    for index in places.indices where states.mayDiffer(in: places[index]) {
      suspects.append(paths[index])
    }
    return suspects
  }

  /// Counts a state; every so many states removes the untracked paths, if they are the majority.
  ///
  /// While no tracked value changes, the interval grows up to the number of paths, so that a write looks
  /// at one path on average.
  private mutating func countState() {
    countdown -= 1
    if countdown > 0 { return }
    let tracked = paths.reduce(0) { $1.isTracked() ? $0 + 1 : $0 }
    interval = max(Self.shortest, min(2 * interval, paths.count))
    if tracked < paths.count / 2 {
      sweep()
      interval = Self.shortest
    }
    countdown = interval
  }

  /// Removes the untracked paths.
  private mutating func sweep() {
    let old = paths
    paths.removeAll(keepingCapacity: true)
    places.removeAll(keepingCapacity: true)
    words.removeAll()
    positions.removeAll(keepingCapacity: true)
    known.removeAll(keepingCapacity: true)
    for path in old where path.isTracked() { add(path) }
    limit = max(16, 2 * paths.count)
  }

  private mutating func add(_ path: TrackedPath) {
    positions[Key(keyPath: path.keyPath, index: path.index)] = paths.count
    if path.index == nil { known[ObjectIdentifier(path.keyPath)] = paths.count }
    paths.append(path)
    places.append(path.comparison.place)
    words.insert(path.comparison.place)
  }
}
