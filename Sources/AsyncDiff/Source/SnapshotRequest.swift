/// One call of `apply` or `submit`.
struct SnapshotRequest<Section: SectionInflator>: ApplyRequest {
  private let given: DiffableSnapshot<Section>
  /// The marks of this snapshot and of those that it replaces.
  private var marks: SnapshotMarks<Section.DiffIdentifier, Section.Item.DiffIdentifier>

  let animated: Bool
  /// The caller of `apply` that waits for the answer; `nil` after `submit`.
  let continuation: CheckedContinuation<ApplyAnswer, Never>?
  /// The highest priority of this snapshot's caller and of those whose snapshots it replaces.
  private(set) var priority: TaskPriority

  init(
    _ snapshot: DiffableSnapshot<Section>, animated: Bool,
    continuation: CheckedContinuation<ApplyAnswer, Never>? = nil
  ) {
    given = snapshot
    marks = snapshot.marks
    self.animated = animated
    self.continuation = continuation
    priority = Task.currentPriority
  }

  mutating func absorb(_ older: Self) {
    marks.absorb(older.marks)
    priority = max(priority, older.priority)
  }

  /// The snapshot to show: the given one with its own and the inherited marks.
  var snapshot: DiffableSnapshot<Section> {
    var snapshot = given
    snapshot.marks = marks
    return snapshot
  }
}
