/// One call of `apply`, `submit` or `putBack`.
struct SnapshotRequest<Section: SectionInflator>: ApplyRequest {
  typealias Snapshot = DiffableSnapshot<Section>

  private enum Target {
    /// Show this, with its own marks and those of the snapshots that it replaces.
    case snapshot(Snapshot)
    /// Put back the rows of these moves, the newest one first.
    case putBack([ReorderTransaction<Section>])
  }

  private var target: Target
  let animated: Bool
  /// The caller of `apply` that waits for the answer; nil after `submit` and `putBack`.
  let continuation: CheckedContinuation<ApplyAnswer, Never>?
  /// The highest priority of this request's caller and of those whose requests it replaces.
  private(set) var priority = Task.currentPriority

  init(
    _ snapshot: Snapshot, animated: Bool,
    continuation: CheckedContinuation<ApplyAnswer, Never>? = nil
  ) {
    target = .snapshot(snapshot)
    self.animated = animated
    self.continuation = continuation
  }

  init(puttingBack move: ReorderTransaction<Section>, animated: Bool) {
    target = .putBack([move])
    self.animated = animated
    continuation = nil
  }

  var isFinal: Bool { continuation == nil }

  var yields: Bool {
    switch target {
    case .snapshot: false
    case .putBack: true
    }
  }

  /// What is to be shown, if this is what is shown now.
  func snapshot(over shown: Snapshot) -> Snapshot {
    switch target {
    case .snapshot(let snapshot): snapshot
    case .putBack(let moves): moves.reduce(shown) { $1.undone(in: $0) }
    }
  }

  mutating func absorb(_ older: Self) {
    priority = max(priority, older.priority)
    switch (target, older.target) {
    case (.snapshot(var snapshot), .snapshot(let other)):
      snapshot.marks.absorb(other.marks)
      target = .snapshot(snapshot)
    case (.putBack(let moves), .putBack(let others)): target = .putBack(moves + others)
    case (.snapshot, .putBack), (.putBack, .snapshot): break
    }
  }
}
