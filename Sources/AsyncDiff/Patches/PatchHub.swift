import AsyncKnot
import Synchronization

/// What the observers of one source share: its epoch, the history, and the patches to what is shown now.
///
/// It is kept with the source's knot from the first time that somebody asks for patches.
@usableFromInline
final class PatchHub<Section: SectionInflator>: Sendable {
  typealias Numbered = NumberedSnapshot<Section>
  @usableFromInline
  typealias Compare =
    @Sendable (
      DiffableSnapshot<Section>, DiffableSnapshot<Section>
    ) -> [BatchUpdates<Section>]
  typealias Comparison = Task<SnapshotPatch<Section>, Never>

  private struct State {
    var history = PatchHistory<Section>()
    /// The number of the snapshot that the kept patches lead to.
    var target: UInt64 = 0
    /// The patches to `target`, done or under way, by the numbers that they start at.
    var comparisons: [UInt64: Comparison] = [:]
  }

  /// Names the source: a script can calculate with it, and no other source has it.
  let epoch = UInt64.random(in: 1..<1 << 53)
  private let state = Mutex(State())

  @usableFromInline
  init() {}

  /// The snapshot that an observer says it has, if it is kept.
  func snapshot(_ revision: SnapshotRevision) -> Numbered? {
    guard revision.epoch == epoch else { return nil }
    return state.withLock { $0.history.snapshot(revision.number) }
  }

  /// Notes a snapshot that was given to an observer.
  func remember(_ snapshot: Numbered, limit: Int) {
    let forgotten = state.withLock { $0.history.remember(snapshot, limit: limit) }
    withExtendedLifetime(forgotten) {}
  }

  /// The patch between two snapshots; observers that ask for the same at one time share the comparison.
  ///
  /// A comparison runs in a task of its own, so that it neither keeps an observer's isolation nor ends when
  /// the observer that asked first is cancelled.
  func patch(from old: Numbered, to new: Numbered, _ compare: @escaping Compare) async
    -> SnapshotPatch<Section>
  {
    let (comparison, finished) = state.withLock { state -> (Comparison?, [UInt64: Comparison]) in
      var finished: [UInt64: Comparison] = [:]
      if state.target < new.number {
        swap(&finished, &state.comparisons)
        state.target = new.number
      }
      guard state.target == new.number else { return (nil, finished) }
      let comparison =
        state.comparisons[old.number] ?? self.comparison(from: old, to: new, compare)
      state.comparisons[old.number] = comparison
      return (comparison, finished)
    }
    withExtendedLifetime(finished) {}
    // A newer snapshot was asked for in between: nobody will ask for this one any more.
    return await (comparison ?? self.comparison(from: old, to: new, compare)).value
  }

  private func comparison(
    from old: Numbered, to new: Numbered, _ compare: @escaping Compare
  ) -> Comparison {
    let from = SnapshotRevision(epoch: epoch, number: old.number)
    return Spawn.value {
      SnapshotPatch(
        from: from, to: new.number,
        stages: compare(old.snapshot, new.snapshot).map { PatchStage($0) })
    }
  }
}
