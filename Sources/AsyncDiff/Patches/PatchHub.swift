import AsyncKnot
import Synchronization

/// What the observers of one source share: the history, and the patches to what is shown now.
///
/// It is kept with the source's knot from the first time that somebody asks for patches.
@usableFromInline
final class PatchHub<Section: SectionInflator>: Sendable {
  typealias Revised = RevisedSnapshot<Section>
  @usableFromInline
  typealias Compare =
    @Sendable (
      DiffableSnapshot<Section>, DiffableSnapshot<Section>
    ) -> [BatchUpdates<Section>]

  /// Names a source whose states are numbered here; a script can calculate with it.
  let epoch = UInt64.random(in: 1..<1 << 53)
  private let history = Mutex(PatchHistory<Section>())
  private let requests = Mutex(PatchRequests<Section>())
  private let compare: Compare

  /// The comparison is made where the section's type is known, so that it is compiled for that type.
  @usableFromInline
  init(compare: @escaping Compare) {
    self.compare = compare
  }

  /// The snapshot that an observer says it has, if it is kept.
  func snapshot(_ revision: SnapshotRevision) -> Revised? {
    Spawn.preemptionPoint()
    return history.withLock { $0.snapshot(revision) }
  }

  /// Notes a snapshot that an observer may come back with.
  func remember(_ snapshot: Revised, limit: Int) {
    Spawn.preemptionPoint()
    let forgotten = history.withLock { $0.remember(snapshot, limit: limit) }
    withExtendedLifetime(forgotten) {}
  }

  /// Forgets what is kept: the next snapshot does not follow it.
  func forget() {
    Spawn.preemptionPoint()
    var forgotten = PatchHistory<Section>()
    history.withLock { swap(&$0, &forgotten) }
  }

  /// The patch between two snapshots of one epoch; observers that ask for the same at one time share the
  /// comparison.
  ///
  /// The first of them compares, away from its isolation, and does so also when it is cancelled.
  func patch(from old: Revised, to new: Revised) async -> SnapshotPatch<Section> {
    Spawn.preemptionPoint()
    let request = requests.withLock { $0.request(from: old.revision, to: new.revision) }
    guard request.isFirst else { return await request.patch.value }
    let patch = SnapshotPatch(
      from: old.revision, to: new.revision.number,
      stages: compare(old.snapshot, new.snapshot).map { PatchStage($0) })
    Spawn.preemptionPoint()
    request.patch.finish(patch)
    return patch
  }
}

/// The patches to one snapshot, done or under way, by the numbers that they start at.
///
/// Observers ask for what leads to what is shown now: patches to anything else are of no use any more.
struct PatchRequests<Section: SectionInflator>: Sendable {
  /// The snapshot that the patches lead to.
  private var target: SnapshotRevision?
  private var patches: [UInt64: SharedPatch<Section>] = [:]

  /// What somebody is to do who needs a patch.
  struct Request: Sendable {
    let patch: SharedPatch<Section>
    /// Whether the caller must compute the patch.
    let isFirst: Bool
    /// What is not needed any more: the caller releases it outside the lock.
    var outdated: [UInt64: SharedPatch<Section>] = [:]
  }

  mutating func request(from: SnapshotRevision, to: SnapshotRevision) -> Request {
    // A newer snapshot was asked for in between: nobody will ask for this one any more.
    if let target, to.epoch == target.epoch, to.number < target.number {
      return Request(patch: SharedPatch(), isFirst: true)
    }
    var outdated: [UInt64: SharedPatch<Section>] = [:]
    if to != target {
      swap(&outdated, &patches)
      target = to
    }
    if let patch = patches[from.number] { return Request(patch: patch, isFirst: false) }
    let patch = SharedPatch<Section>()
    patches[from.number] = patch
    return Request(patch: patch, isFirst: true, outdated: outdated)
  }
}
