/// One call of `apply`, `submit` or `putBack`.
struct SnapshotRequest<Section: SectionInflator>: ApplyRequest {
  /// What is to be shown, with its own marks and those of the snapshots that it replaces; nil to show the drags
  /// that nobody has refused.
  private(set) var snapshot: DiffableSnapshot<Section>?
  let animated: Bool
  /// The caller of `apply` that waits for the answer; nil after `submit` and `putBack`.
  let continuation: CheckedContinuation<ApplyAnswer, Never>?
  /// The highest priority of this request's caller and of those whose requests it replaces.
  private(set) var priority = Task.currentPriority

  init(
    _ snapshot: DiffableSnapshot<Section>?, animated: Bool,
    continuation: CheckedContinuation<ApplyAnswer, Never>? = nil
  ) {
    self.snapshot = snapshot
    self.animated = animated
    self.continuation = continuation
  }

  var isFinal: Bool { continuation == nil }

  var yields: Bool { snapshot == nil }

  mutating func absorb(_ older: Self) {
    priority = max(priority, older.priority)
    if let marks = older.snapshot?.marks { snapshot?.marks.absorb(marks) }
  }
}

/// What happened to a snapshot that was given to a data source.
public enum ApplyOutcome: Hashable, Sendable {
  /// The surface has reloaded and shows the snapshot: it was the first one, or too much had
  /// changed.
  case reloaded
  /// The surface shows the snapshot after this number of changes.
  case updated(Int)
  /// The surface showed the same already; it was not called.
  case unchanged
  /// A newer snapshot has reached the surface before this one, or will for sure.
  case superseded
  /// The surface was released: nothing is shown, or later stages were skipped.
  case surfaceGone
}

/// A request that waits in an ``ApplyQueue``.
protocol ApplyRequest: Sendable {
  /// Whether the request cannot be cancelled, so that it supersedes all older ones at once.
  var isFinal: Bool { get }
  /// Whether any waiting snapshot supersedes this request, however old that snapshot is.
  var yields: Bool { get }

  /// Takes over what an older request asks that this one replaces: its marks and its priority.
  mutating func absorb(_ older: Self)
}

/// How a request ended; the error is the surface's, or `CancellationError`.
typealias ApplyAnswer = Result<ApplyOutcome, any Error>
