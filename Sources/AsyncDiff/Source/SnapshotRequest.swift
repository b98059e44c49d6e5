/// One call to `apply`, `submit` or `putBack`.
struct SnapshotRequest<Section: SectionInflator>: ApplyRequest {
  /// The snapshot to show, with its own marks and those of the snapshots that it replaces; `nil` for `putBack`.
  ///
  /// For `putBack`, the data source applies the drags that were not put back to the snapshot before the first drag.
  private(set) var snapshot: DiffableSnapshot<Section>?
  let animated: Bool
  /// The caller of `apply` that is waiting for the outcome; `nil` for `submit` and `putBack`.
  let continuation: CheckedContinuation<ApplyAnswer, Never>?
  /// The highest priority of the callers of this request and of the requests that it replaces.
  private(set) var priority = Task.currentPriority

  init(
    _ snapshot: DiffableSnapshot<Section>?, animated: Bool,
    continuation: CheckedContinuation<ApplyAnswer, Never>? = nil
  ) {
    self.snapshot = snapshot
    self.animated = animated
    self.continuation = continuation
  }

  var supersedesAtOnce: Bool { continuation == nil }

  var yields: Bool { snapshot == nil }

  var hasMarks: Bool { snapshot?.marks.isEmpty == false }

  mutating func absorb(_ older: [Self]) {
    priority = older.reduce(priority) { max($0, $1.priority) }
    snapshot?.marks.absorb(older.compactMap(\.snapshot?.marks))
  }
}

/// The outcome of a snapshot that was submitted to a data source.
public enum ApplyOutcome: Hashable, Sendable {
  /// The surface has reloaded and shows the snapshot, because it was the first one, too many rows changed, or the surface had
  /// failed.
  case reloaded
  /// The surface shows the snapshot after carrying out this number of changes.
  case updated(Int)
  /// The surface already showed the same rows, so it was not called.
  case unchanged
  /// A newer snapshot has reached the surface instead of this one, or will reach it.
  case superseded
  /// The surface was released before it had shown the whole change.
  case surfaceGone
}

/// A request that is waiting in an ``ApplyQueue``.
protocol ApplyRequest: Sendable {
  /// Whether the request supersedes all older ones immediately, because it cannot be cancelled.
  var supersedesAtOnce: Bool { get }
  /// Whether any waiting snapshot supersedes this request, even an older one.
  var yields: Bool { get }
  /// Whether the request has marks that a newer request must absorb.
  var hasMarks: Bool { get }

  /// Adds the marks of the older requests that this one replaces, and raises the priority to at least theirs.
  mutating func absorb(_ older: [Self])
}

/// The result of a request; the error is the surface's, or `CancellationError`.
typealias ApplyAnswer = Result<ApplyOutcome, any Error>
