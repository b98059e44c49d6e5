import AsyncKnot
import Synchronization

/// The state that the observers of one source share: the history, and the patches to the current snapshot.
///
/// A source's knot keeps the hub after the first call to `patches`; a relay creates its own hub.
final class PatchHub<Section: SectionInflator>: Sendable {
  typealias Revised = RevisedSnapshot<Section>

  /// The epoch of a source that numbers its own states; below 2⁵³, so that JavaScript can represent it.
  let epoch = UInt64.random(in: 1..<1 << 53)
  private let history = Mutex(PatchHistory<Section>())
  private let requests = Mutex(PatchRequests<Section>())
  private let compare: DiffableSnapshot<Section>.Compare

  init(compare: @escaping DiffableSnapshot<Section>.Compare) {
    self.compare = compare
  }

  /// Returns the snapshot of an observer's revision, if the history contains it.
  func snapshot(_ revision: SnapshotRevision) -> Revised? {
    Spawn.preemptionPoint()
    return history.withLock { $0.snapshot(revision) }
  }

  /// Adds a snapshot to the history, because an observer may reconnect with the snapshot's revision.
  func remember(_ snapshot: Revised, limit: Int) {
    Spawn.preemptionPoint()
    let forgotten = history.withLock { $0.remember(snapshot, limit: limit) }
    withExtendedLifetime(forgotten) {}
  }

  /// Clears the history and the patches; called before a snapshot is added that does not follow the earlier snapshots.
  func forget() {
    Spawn.preemptionPoint()
    var (history, requests) = (PatchHistory<Section>(), PatchRequests<Section>())
    self.history.withLock { swap(&$0, &history) }
    self.requests.withLock { swap(&$0, &requests) }
  }

  /// Returns the patch between two snapshots of one epoch; observers that ask for the same patch at the same time share the
  /// comparison.
  ///
  /// The comparison runs in its own task, so a cancelled observer does not end it for other observers.
  func patch(from old: Revised, to new: Revised) async -> SnapshotPatch<Section> {
    Spawn.preemptionPoint()
    let (patch, outdated) = requests.withLock { requests in
      requests.patch(from: old.revision, to: new.revision) {
        Spawn.task { [compare] in
          SnapshotPatch(
            from: old.revision, to: new.revision.number,
            stages: compare(old.snapshot, new.snapshot).map { SnapshotPatch.Stage($0) })
        }
      }
    }
    // Outdated patches are released outside the lock.
    withExtendedLifetime(outdated) {}
    return await patch.value
  }
}

/// Finished and running patches to the current snapshot, keyed by the number of the revision at which they start.
///
/// Patches to older snapshots are dropped, because observers ask only for the current one.
struct PatchRequests<Section: SectionInflator>: Sendable {
  typealias Patch = Task<SnapshotPatch<Section>, Never>

  /// The revision to which the patches lead.
  private var target: SnapshotRevision?
  private var patches: [UInt64: Patch] = [:]

  /// Returns the patch between two snapshots, and the outdated patches to release.
  ///
  /// Calls `begin` if no other observer has requested this patch, or if one has already requested a patch to a newer snapshot.
  mutating func patch(
    from: SnapshotRevision, to: SnapshotRevision, begin: () -> Patch
  ) -> (Patch, outdated: [UInt64: Patch]) {
    // Other observers already have a newer target, so this patch is not shared.
    if let target, to.epoch == target.epoch, to.number < target.number { return (begin(), [:]) }
    var outdated: [UInt64: Patch] = [:]
    if to != target {
      swap(&outdated, &patches)
      target = to
    }
    let patch = patches[from.number] ?? begin()
    patches[from.number] = patch
    return (patch, outdated)
  }
}

struct RevisedSnapshot<Section: SectionInflator>: Sendable {
  let snapshot: DiffableSnapshot<Section>
  let revision: SnapshotRevision
}

/// The newest snapshots of one epoch, kept to send patches to observers that reconnect.
struct PatchHistory<Section: SectionInflator>: Sendable {
  /// The remembered snapshots, ascending by number.
  private var given: [RevisedSnapshot<Section>] = []
  /// The maximum number of snapshots: the largest limit of any observer.
  private var limit = 0

  /// Returns the snapshot of a revision, if the history contains it.
  func snapshot(_ revision: SnapshotRevision) -> RevisedSnapshot<Section>? {
    let place = place(of: revision.number)
    guard place < given.count, given[place].revision == revision else { return nil }
    return given[place]
  }

  /// Adds a snapshot; returns the oldest one if it no longer fits, so that it is released outside the lock.
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
