/// One call of `apply` or `submit`.
struct SnapshotRequest<Section: SectionInflator>: ApplyRequest {
  private let given: DiffableSnapshot<Section>
  /// What replaced snapshots asked to draw anew.
  private var inherited: [MarkGroup<Section.DiffIdentifier, Section.Item.DiffIdentifier>] = []

  let animated: Bool
  /// Who waits for the answer; nobody after `submit`.
  let continuation: CheckedContinuation<ApplyAnswer, Never>?
  /// The priority of whoever gave the snapshot, or one that it replaces.
  private(set) var priority: TaskPriority

  init(
    _ snapshot: DiffableSnapshot<Section>, animated: Bool,
    continuation: CheckedContinuation<ApplyAnswer, Never>? = nil
  ) {
    given = snapshot
    self.animated = animated
    self.continuation = continuation
    priority = Task.currentPriority
  }

  mutating func absorb(_ older: Self) {
    inherited = older.inherited + older.given.marks.groups + inherited
    priority = max(priority, older.priority)
  }

  /// What to show: the snapshot given, with its own marks and those it inherited.
  var snapshot: DiffableSnapshot<Section> {
    var snapshot = given
    snapshot.marks.groups += inherited
    return snapshot
  }
}
