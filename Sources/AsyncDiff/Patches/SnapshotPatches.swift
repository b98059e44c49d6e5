public import AsyncKnot

extension StateSource {
  /// Returns the messages with which a remote observer follows this source: full snapshots and patches.
  ///
  /// ```swift
  /// let known = SnapshotRevision(lastEventID)  // nil if it is not a revision; then the first message is a full snapshot
  /// for await message in source.patches(since: known) {
  ///   try await connection.send(encoder.encode(message), id: message.revision.description)
  ///   try await connection.acknowledgment(of: message.revision)
  /// }
  /// ```
  /// Each element is created when the observer asks for it, and leads from the observer's last snapshot to the current one in one
  /// step. An observer that is slow, or waits for an acknowledgment, therefore gets fewer and larger patches, and costs the
  /// source nothing while it waits. Observers that ask for the same patch at the same time share the comparison.
  ///
  /// The first element arrives immediately, unless `revision` is current. The source keeps the newest snapshots that it has sent
  /// to any observer. If the snapshot of `revision` is among them, the first element can be a patch; otherwise it is a full
  /// snapshot. The sequence ends when the source is released or the task is cancelled. Marks (`reloadItems`) are meant for a
  /// surface, so the messages do not contain them.
  ///
  /// - Parameters:
  ///   - revision: The observer's revision; `nil` if the observer has no snapshot.
  ///   - rule: The rule that decides when to send a full snapshot even if a patch is possible.
  ///   - history: The number of sent snapshots that the source keeps for observers that reconnect. If observers pass different
  ///     numbers, the source uses the largest one. Snapshots share the storage of common sections. The program traps if the
  ///     number is negative.
  /// - Returns: The messages; each iterator is a separate observer.
  @inlinable
  public nonisolated func patches<Section: SectionInflator>(
    since revision: SnapshotRevision? = nil,
    full rule: SnapshotPatches<Section>.FullRule = .whereSmaller, history: Int = 32
  ) -> SnapshotPatches<Section> where State == DiffableSnapshot<Section> {
    SnapshotPatches(
      of: knot, since: revision, rule: rule, history: history, compare: { $0.batches(to: $1) })
  }
}

/// The messages with which an observer follows a source: see ``AsyncKnot/StateSource/patches(since:full:history:)``.
public struct SnapshotPatches<Section: SectionInflator>: AsyncSequence, Sendable {
  /// A full snapshot or a patch.
  public typealias Element = SnapshotMessage<Section>
  /// The sequence never throws.
  public typealias Failure = Never

  let followed: Followed<Section>
  let hub: PatchHub<Section>
  let revision: SnapshotRevision?
  let rule: FullRule

  @usableFromInline
  init(
    of knot: Knot<DiffableSnapshot<Section>>, since revision: SnapshotRevision?, rule: FullRule,
    history: Int,
    compare: @escaping DiffableSnapshot<Section>.Compare
  ) {
    require(
      history >= 0,
      "patches(since:full:history:): needs a history of at least 0 snapshots; got \(history)")
    let hub = knot.withCompanion({ PatchHub<Section>(compare: compare) }) { $0 }
    self.init(.source(knot.states, history: history), hub: hub, since: revision, rule: rule)
  }

  init(
    _ followed: Followed<Section>, hub: PatchHub<Section>, since revision: SnapshotRevision?,
    rule: FullRule
  ) {
    self.followed = followed
    self.hub = hub
    self.revision = revision
    self.rule = rule
  }

  /// Creates an observer that starts at the revision that was passed to `patches`.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }

  /// One observer.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let sequence: SnapshotPatches
    private var followed: Followed<Section>.Iterator
    /// The observer's revision.
    private var has: SnapshotRevision?
    /// The observer's snapshot, if known; the next patch starts at this snapshot.
    private var base: RevisedSnapshot<Section>?

    init(_ sequence: SnapshotPatches) {
      self.sequence = sequence
      followed = sequence.followed.makeIterator(hub: sequence.hub)
      has = sequence.revision
      base = has.flatMap(sequence.hub.snapshot)
    }

    /// Waits until the source's snapshot differs from the observer's, and returns the message that updates the observer.
    ///
    /// - Parameter actor: The caller's isolation; snapshots are compared outside of it.
    /// - Returns: A full snapshot or a patch; `nil` when the source is released or the task is cancelled.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async -> SnapshotMessage<Section>? {
      let hub = sequence.hub
      while let shown = await followed.next(isolation: actor) {
        let had = has
        base = base ?? had.flatMap(hub.snapshot)
        // A relay may have replaced a damaged snapshot by another one with the same revision.
        guard had != shown.revision || base.map({ $0.snapshot != shown.snapshot }) == true else {
          have(shown)
          continue
        }
        let full = SnapshotMessage.snapshot(shown.snapshot, shown.revision, since: had)
        guard let base, base.revision.isFollowed(by: shown.revision) else {
          // The observer came from another relay or the source, and is ahead of this relay, so it waits.
          if followed.isRelay, self.base == nil, let had, had == sequence.revision,
            shown.revision.isFollowed(by: had)
          {
            continue
          }
          have(shown)
          return full
        }
        let patch = await hub.patch(from: base, to: shown)
        // If the snapshots are equal and have successive revisions, nothing is sent, and the next patch still starts at the
        // observer's revision. If the observer skipped a revision, a message is sent even so. The observer may be a relay that
        // has a follower with the skipped revision, and then the relay needs the new revision.
        if patch.stages.isEmpty, shown.revision.number == base.revision.number + 1 { continue }
        have(shown)
        return sequence.rule.prefersFull(shown.snapshot, to: patch) ? full : .patch(patch)
      }
      return nil
    }

    /// Returns the next message; see ``next(isolation:)``.
    nonisolated(nonsending) public mutating func next() async -> SnapshotMessage<Section>? {
      await next(isolation: #isolation)
    }

    private mutating func have(_ snapshot: RevisedSnapshot<Section>) {
      has = snapshot.revision
      base = snapshot
      if let limit = followed.history { sequence.hub.remember(snapshot, limit: limit) }
    }
  }
}

@available(*, unavailable)
extension SnapshotPatches.AsyncIterator: Sendable {}

extension SnapshotPatches {
  /// Decides when to send a full snapshot even if a patch is possible.
  public enum FullRule: Hashable, Sendable {
    /// Sends the snapshot if it is probably not longer than the patch.
    ///
    /// An item takes about a third more space in a patch than in a snapshot, because its position is added; a removal or a move
    /// takes only the space of a position. Each item and section in a patch therefore counts 4, every other operation counts 1,
    /// and each item and section in a snapshot counts 3.
    case whereSmaller
    /// Sends a patch whenever possible, for an observer that animates the changes of each row.
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
  /// 4 for each item and section that the stage contains, 1 for each removal and move.
  fileprivate var weight: Int {
    let contents =
      sectionUpdates.count + itemInserts.count + itemUpdates.count
      + sectionInserts.reduce(0) { $0 + 1 + $1.value.rows.count }
    return 4 * contents + sectionDeletes.count + sectionMoves.count + itemDeletes.count
      + itemMoves.count
  }
}
