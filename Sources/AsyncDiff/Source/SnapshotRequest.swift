/// One call of `apply`.
struct SnapshotRequest<Section: SectionInflator>: ApplyRequest {
  private let given: DiffableSnapshot<Section>
  /// What replaced snapshots asked to draw anew; joined later, as that hashes identifiers.
  private var inherited: [ItemMarks<Section.Item.DiffIdentifier>] = []

  let animated: Bool
  let continuation: CheckedContinuation<ApplyAnswer, Never>

  init(
    _ snapshot: DiffableSnapshot<Section>, animated: Bool,
    continuation: CheckedContinuation<ApplyAnswer, Never>
  ) {
    given = snapshot
    self.animated = animated
    self.continuation = continuation
  }

  mutating func absorb(_ older: Self) {
    inherited += older.inherited
    if !older.given.marks.isEmpty { inherited.append(older.given.marks) }
  }

  /// What to show: the snapshot given, with its own marks and those it inherited.
  var snapshot: DiffableSnapshot<Section> {
    var snapshot = given
    for marks in inherited { snapshot.marks.formUnion(marks) }
    return snapshot
  }
}
