/// The change from one snapshot of a source to a later one, for an observer that has the earlier snapshot.
///
/// A patch contains the inserted and changed content, but only the positions of removed and moved items and sections.
public struct SnapshotPatch<Section: SectionInflator>: Sendable, Equatable {
  /// The revision of the snapshot at which the patch starts.
  public let from: SnapshotRevision
  /// The number of the snapshot to which the patch leads, in the same epoch.
  public let number: UInt64
  /// The stages in the order in which they are carried out: usually one, at most three.
  public let stages: [Stage]

  /// Creates a patch from its parts.
  public init(from: SnapshotRevision, to number: UInt64, stages: [Stage]) {
    self.from = from
    self.number = number
    self.stages = stages
  }

  /// The revision of the snapshot to which the patch leads.
  public var to: SnapshotRevision { SnapshotRevision(epoch: from.epoch, number: number) }

  /// Converts the stages to batches, for a surface that shows the snapshot at which the patch starts.
  ///
  /// The patch can come from an untrusted source: the method returns consistent batches or throws an error.
  ///
  /// - Parameter snapshot: The snapshot at which the patch starts.
  /// - Returns: The batches; the last one leads to the snapshot at which the patch ends.
  /// - Throws: ``MirrorError/malformed(_:_:)`` for a patch that does not fit the snapshot or contradicts itself.
  /// - Complexity: O(sections + *k* log *k* + items of the affected sections) for *k* operations.
  public func batches(
    from snapshot: DiffableSnapshot<Section>
  ) throws(MirrorError) -> [BatchUpdates<Section>] {
    var batches: [BatchUpdates<Section>] = []
    do throws(Misfit) {
      try requireFit(stages.count <= 3, "a patch has at most 3 stages; got \(stages.count)")
      for stage in stages {
        batches.append(try stage.batch(from: batches.last?.snapshot ?? snapshot))
      }
    } catch {
      throw .malformed(from, error.text)
    }
    return batches
  }
}
