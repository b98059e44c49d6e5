/// When an observer gets a full snapshot although a patch is possible.
public enum FullSnapshotRule: Hashable, Sendable {
  /// Where it has fewer entries, or as many: sections and items of the snapshot, against the operations of the
  /// patch with the items of the sections that come.
  case whereSmaller
  /// Never: for an observer that lets a change be seen, row by row.
  case whereNeeded

  func prefersFull<Section>(
    _ snapshot: DiffableSnapshot<Section>, to patch: SnapshotPatch<Section>
  ) -> Bool {
    switch self {
    case .whereSmaller:
      patch.entryCount >= snapshot.numberOfSections + snapshot.numberOfItems
    case .whereNeeded: false
    }
  }
}
