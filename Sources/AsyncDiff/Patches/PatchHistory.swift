/// A snapshot with its revision.
struct RevisedSnapshot<Section: SectionInflator>: Sendable {
  let snapshot: DiffableSnapshot<Section>
  let revision: SnapshotRevision
}

/// The newest snapshots of one epoch that observers may have, so that one that comes back gets a patch.
struct PatchHistory<Section: SectionInflator>: Sendable {
  /// By number, ascending.
  private var given: [RevisedSnapshot<Section>] = []
  /// How many are kept: as many as the observer wants that wants most.
  private var limit = 0

  /// The snapshot of a revision, if it is kept.
  func snapshot(_ revision: SnapshotRevision) -> RevisedSnapshot<Section>? {
    let place = place(of: revision.number)
    guard place < given.count, given[place].revision == revision else { return nil }
    return given[place]
  }

  /// Notes a snapshot that was given.
  ///
  /// - Returns: What is not kept any more: the caller releases it outside the lock.
  mutating func remember(
    _ snapshot: RevisedSnapshot<Section>, limit wanted: Int
  ) -> RevisedSnapshot<Section>? {
    limit = max(limit, wanted)
    let number = snapshot.revision.number
    let place = place(of: number)
    guard limit > 0, place == given.count || given[place].revision.number != number else {
      return nil
    }
    given.insert(snapshot, at: place)
    return given.count > limit ? given.removeFirst() : nil
  }

  private func place(of number: UInt64) -> Int {
    partitionPoint(given.indices) { given[$0].revision.number >= number }
  }
}
