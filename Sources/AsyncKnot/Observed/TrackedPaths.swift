import Observation

/// The key paths of a state that somebody tracks.
///
/// It is not generic, because the runtime would look its types up for each state that comes.
///
/// The `ObservationRegistrar` does not tell when a tracking ends, but it drops the marker that it was
/// given then: a path whose marker nobody else holds is not compared any more, and leaves.
@MainActor
struct TrackedPaths {
  /// What was read: a key path, or one element of the collection it leads to.
  private struct Key: Hashable {
    let keyPath: AnyKeyPath
    let index: AnyHashable?
  }

  private var paths: [TrackedPath] = []
  /// Where in the state the value of each path lies.
  private var places: [PathPlace] = []
  private var positions: [Key: Int] = [:]
  /// Where a path stands whose key path object was seen before: key path literals are one object each.
  private var known: [ObjectIdentifier: Int] = [:]
  /// Where the path stands that is likely to be read next.
  private var likely = 0
  private var nextID: UInt64 = 0
  /// How many paths there may be before those that nobody tracks are looked for.
  private var limit = 16
  /// How many states may come before they are looked for.
  private var countdown = 16

  init() {}

  /// How many key paths are here, of which some may not be tracked any more.
  var count: Int { paths.count }

  /// What the registrar knows a key path by.
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

  /// The tracked key paths whose values differ.
  ///
  /// It calls the `==` of the values, which may read other paths: so it works on a copy of the table.
  ///
  /// - Complexity: O(tracked key paths), of which those whose bytes are the same cost next to nothing.
  func changed(in states: BytePair) -> [TrackedPath] {
    if !states.mayDiffer(inAnyOf: places) { return [] }
    var changed: [TrackedPath] = []
    for index in places.indices where states.mayDiffer(in: places[index]) {
      let path = paths[index]
      if path.comparison.differs(states), path.isTracked() { changed.append(path) }
    }
    return changed
  }

  /// Counts a state; from time to time forgets the paths that nobody tracks, if they are most.
  mutating func countState() {
    countdown -= 1
    if countdown > 0 { return }
    countdown = 16
    let tracked = paths.reduce(0) { $1.isTracked() ? $0 + 1 : $0 }
    if tracked < paths.count / 2 { sweep() }
  }

  /// Forgets the paths that nobody tracks.
  private mutating func sweep() {
    let old = paths
    paths.removeAll(keepingCapacity: true)
    places.removeAll(keepingCapacity: true)
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
  }
}
