extension SnapshotPatches {
  /// When an observer gets a full snapshot although a patch is possible.
  public enum FullRule: Hashable, Sendable {
    /// Where it is probably not longer.
    ///
    /// What a patch carries has its place with it, and is a third longer than it is in a snapshot; what goes or
    /// moves is a place alone. So each item and section that the patch carries counts 4, each other operation 1,
    /// and each item and section of the snapshot 3.
    case whereSmaller
    /// Never: for an observer that lets a change be seen, row by row.
    case whereNeeded

    func prefersFull(
      _ snapshot: DiffableSnapshot<Section>, to patch: SnapshotPatch<Section>
    ) -> Bool {
      switch self {
      case .whereSmaller:
        patch.stages.reduce(0) { $0 + $1.weight }
          >= 3 * (snapshot.numberOfSections + snapshot.numberOfItems)
      case .whereNeeded: false
      }
    }
  }
}

extension SnapshotPatch.Stage {
  /// 4 for each item and section that the stage carries, 1 for each that goes or moves.
  fileprivate var weight: Int {
    let contents =
      sectionUpdates.count + itemInserts.count + itemUpdates.count
      + sectionInserts.reduce(0) { $0 + 1 + $1.value.items.count }
    return 4 * contents + sectionDeletes.count + sectionMoves.count + itemDeletes.count
      + itemMoves.count
  }
}
