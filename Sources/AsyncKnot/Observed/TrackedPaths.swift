/// The key paths of a state that somebody tracks.
///
/// The `ObservationRegistrar` does not tell when a tracking ends, but it drops the key paths that it
/// was given then. So it is given key paths that carry a lease: a path without a lease is not compared
/// any more, and leaves.
@MainActor
struct TrackedPaths<State: Sendable> {
  private var indices: [PartialKeyPath<State>: Int] = [:]
  private var paths: [TrackedPath<State>] = []
  private var nextID: UInt64 = 0
  private let unused = UnusedPaths()

  /// How many key paths are known; at most a few more than twice as many as are tracked.
  var count: Int { paths.count }

  /// Takes a lease on a key path.
  ///
  /// - Complexity: O(1), amortised.
  mutating func track<Value>(_ keyPath: KeyPath<State, Value>) -> PathToken {
    if let index = indices[keyPath] { return paths[index].lease() }
    sweep()
    nextID += 1
    let path = TrackedPath(keyPath, id: nextID, unused: unused)
    indices[keyPath] = paths.count
    paths.append(path)
    return path.lease()
  }

  /// The tracked key paths whose values differ.
  ///
  /// - Complexity: O(tracked key paths).
  mutating func changed(from old: State, to new: State) -> [TrackedPath<State>] {
    if paths.isEmpty { return [] }
    sweep()
    // `filter` retains the array, so an `==` that tracks another path does not disturb it.
    return paths.filter { $0.isTracked && $0.differs(old, new) }
  }

  /// Forgets the paths without a lease, once they are most.
  private mutating func sweep() {
    guard unused.count > paths.count / 2 + 8 else { return }
    let known = paths
    indices.removeAll(keepingCapacity: true)
    paths.removeAll(keepingCapacity: true)
    for path in known where path.isTracked {
      indices[path.keyPath] = paths.count
      paths.append(path)
    }
    unused.add(paths.count - known.count)
  }
}
