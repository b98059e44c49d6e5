/// What leads from one snapshot of a source to a later one: what an observer needs that has the first.
///
/// It holds the content of what comes and changes, and the places of what goes and moves.
public struct SnapshotPatch<Section: SectionInflator>: Sendable, Equatable {
  /// The snapshot that the patch starts at.
  public let from: SnapshotRevision
  /// The number of the snapshot that it leads to, in the same epoch.
  public let number: UInt64
  /// The stages, to be carried out one after another: mostly one, at most three.
  public let stages: [Stage]

  /// Creates a patch from its parts.
  ///
  /// - Parameters:
  ///   - from: The snapshot that the patch starts at.
  ///   - number: The number of the snapshot that it leads to.
  ///   - stages: The stages, in order.
  public init(from: SnapshotRevision, to number: UInt64, stages: [Stage]) {
    self.from = from
    self.number = number
    self.stages = stages
  }

  /// The snapshot that the patch leads to.
  public var to: SnapshotRevision { SnapshotRevision(epoch: from.epoch, number: number) }

  /// The stages as batches, for a surface that shows the snapshot that the patch starts at.
  ///
  /// A patch may come from a stranger: whatever it says, the answer is batches that hold together or an
  /// error.
  ///
  /// - Parameter snapshot: What the patch starts at.
  /// - Returns: The batches, the last of which leads to the patch's end.
  /// - Throws: ``MirrorError/malformed(_:_:)`` for a patch that does not fit the snapshot or contradicts itself.
  /// - Complexity: O(sections + *k* log *k*) for *k* operations, and the items of the sections that they
  ///   concern.
  public func batches(
    from snapshot: DiffableSnapshot<Section>
  ) throws(MirrorError) -> [BatchUpdates<Section>] {
    var batches: [BatchUpdates<Section>] = []
    do throws(Misfit) {
      try requireFit(stages.count <= 3, "\(stages.count) stages, but no patch needs more than 3")
      for stage in stages {
        batches.append(try stage.batch(from: batches.last?.snapshot ?? snapshot))
      }
    } catch {
      throw .malformed(from, error.text)
    }
    return batches
  }
}
