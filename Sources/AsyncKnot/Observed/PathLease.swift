import Synchronization

/// Names a tracked key path to the registrar, which keeps it, and with it the lease, while it tracks.
struct PathToken: Hashable, Sendable {
  let id: UInt64
  let lease: PathLease?

  static func == (one: Self, other: Self) -> Bool { one.id == other.id }

  func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

/// Counts as one use of a path until it goes, on whatever thread that is.
final class PathLease: Sendable {
  private let usage: PathUsage

  init(_ usage: PathUsage) {
    self.usage = usage
    usage.begin()
  }

  deinit { usage.end() }
}

/// How many leases there are on one path.
final class PathUsage: Sendable {
  private let leases = Atomic(0)
  private let unused: UnusedPaths

  /// A path begins without a lease.
  init(_ unused: UnusedPaths) {
    self.unused = unused
    unused.add(1)
  }

  var isUsed: Bool { leases.load(ordering: .relaxed) > 0 }

  func begin() {
    if leases.add(1, ordering: .relaxed).oldValue == 0 { unused.add(-1) }
  }

  func end() {
    if leases.subtract(1, ordering: .relaxed).newValue == 0 { unused.add(1) }
  }
}

/// How many paths of a table have no lease: a reason to sweep it.
///
/// Only how often it is swept depends on this count, so no ordering does.
final class UnusedPaths: Sendable {
  private let number = Atomic(0)

  var count: Int { number.load(ordering: .relaxed) }

  func add(_ change: Int) { _ = number.add(change, ordering: .relaxed) }
}
