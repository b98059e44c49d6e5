/// One call of `apply` or `submit`.
struct SnapshotRequest<Section: SectionInflator>: ApplyRequest {
  /// The snapshot to show, with its own marks and those of the snapshots that it replaces.
  private(set) var snapshot: DiffableSnapshot<Section>
  let animated: Bool
  /// The caller of `apply` that waits for the answer; `nil` after `submit`.
  let continuation: CheckedContinuation<ApplyAnswer, Never>?
  /// The highest priority of this snapshot's caller and of those whose snapshots it replaces.
  private(set) var priority: TaskPriority

  init(
    _ snapshot: DiffableSnapshot<Section>, animated: Bool,
    continuation: CheckedContinuation<ApplyAnswer, Never>? = nil
  ) {
    self.snapshot = snapshot
    self.animated = animated
    self.continuation = continuation
    priority = Task.currentPriority
  }

  mutating func absorb(_ older: Self) {
    snapshot.marks.absorb(older.snapshot.marks)
    priority = max(priority, older.priority)
  }
}
