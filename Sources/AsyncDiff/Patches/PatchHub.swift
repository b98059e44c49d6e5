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

  /// Names the source: a script can calculate with it, and no other source has it.
  let epoch = UInt64.random(in: 1..<1 << 53)
  private let history = Mutex(PatchHistory<Section>())
  private let requests = Mutex(PatchRequests<Section>())

  @usableFromInline
  init() {}

  /// The snapshot that an observer says it has, if it is kept.
  func snapshot(_ revision: SnapshotRevision) -> Numbered? {
    guard revision.epoch == epoch else { return nil }
    Spawn.preemptionPoint()
    return history.withLock { $0.snapshot(revision.number) }
  }

  /// Notes a snapshot that was given to an observer.
  func remember(_ snapshot: Numbered, limit: Int) {
    Spawn.preemptionPoint()
    let forgotten = history.withLock { $0.remember(snapshot, limit: limit) }
    withExtendedLifetime(forgotten) {}
  }

  /// The patch between two snapshots; observers that ask for the same at one time share the comparison.
  ///
  /// The first of them compares, away from its isolation, and does so also when it is cancelled.
  func patch(
    from old: Numbered, to new: Numbered, _ compare: Compare
  ) async -> SnapshotPatch<Section> {
    Spawn.preemptionPoint()
    let request = requests.withLock { $0.request(from: old.number, to: new.number) }
    guard request.isFirst else { return await request.patch.value }
    let patch = SnapshotPatch(
      from: SnapshotRevision(epoch: epoch, number: old.number), to: new.number,
      stages: compare(old.snapshot, new.snapshot).map { PatchStage($0) })
    Spawn.preemptionPoint()
    request.patch.finish(patch)
    return patch
  }
}

/// The patches to one snapshot, done or under way, by the numbers that they start at.
///
/// Observers ask for what leads to what is shown now: patches to anything older are of no use any more.
struct PatchRequests<Section: SectionInflator>: Sendable {
  /// The number of the snapshot that the patches lead to.
  private var target: UInt64 = 0
  private var patches: [UInt64: SharedPatch<Section>] = [:]

  /// What somebody is to do who needs a patch.
  struct Request: Sendable {
    let patch: SharedPatch<Section>
    /// Whether nobody else finds the patch.
    let isFirst: Bool
    /// What is not needed any more: it must not die under a lock.
    var outdated: [UInt64: SharedPatch<Section>] = [:]
  }

  mutating func request(from: UInt64, to: UInt64) -> Request {
    // A newer snapshot was asked for in between: nobody will ask for this one any more.
    guard to >= target else { return Request(patch: SharedPatch(), isFirst: true) }
    var outdated: [UInt64: SharedPatch<Section>] = [:]
    if to > target {
      swap(&outdated, &patches)
      target = to
    }
    if let patch = patches[from] { return Request(patch: patch, isFirst: false) }
    let patch = SharedPatch<Section>()
    patches[from] = patch
    return Request(patch: patch, isFirst: true, outdated: outdated)
  }
}
