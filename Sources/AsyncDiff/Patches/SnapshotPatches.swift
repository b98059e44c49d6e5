public import AsyncKnot

extension StateSource {
  /// Follows the source from elsewhere, with a full snapshot or one patch at a time.
  ///
  /// ```swift
  /// let known = SnapshotRevision(lastEventID)  // nil for a text that is none: then it has nothing
  /// for await message in source.patches(since: known) {
  ///   try await connection.send(encoder.encode(message), id: message.revision.description)
  ///   try await connection.acknowledgment(of: message.revision)
  /// }
  /// ```
  /// The observer pulls. Each element leads from the observer's last snapshot to the current one, in one step. So an
  /// observer that is slow, or waits for an acknowledgment, gets fewer and larger patches and costs the source
  /// nothing. Observers that ask for the same patch at the same time share the comparison.
  ///
  /// The first element arrives at once, unless `revision` is current. It is a patch if the source still has the
  /// snapshot of `revision`, because it keeps the newest snapshots that were sent to any observer; otherwise it is a
  /// full snapshot. The sequence ends with the source, or when the task is cancelled. Marks (`reloadItems`) are for a
  /// surface and are not part of a patch.
  ///
  /// - Parameters:
  ///   - revision: The observer's revision; `nil` for none.
  ///   - rule: When to send a full snapshot although a patch is possible.
  ///   - history: The number of sent snapshots that the source keeps for observers that come back; the largest number
  ///     of all observers counts. Snapshots share the storage of common sections.
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

/// The messages that follow a source: see ``AsyncKnot/StateSource/patches(since:full:history:)``.
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
      history >= 0, "patches(since:full:history:): needs a history of 0 or more; got \(history)")
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

  /// Creates an observer that has the snapshot of the given revision.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }

  /// One observer.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let sequence: SnapshotPatches
    private var followed: Followed<Section>.Iterator
    /// The observer's revision.
    private var has: SnapshotRevision?
    /// The observer's snapshot, if known; its patches start there.
    private var base: RevisedSnapshot<Section>?

    init(_ sequence: SnapshotPatches) {
      self.sequence = sequence
      followed = sequence.followed.makeIterator(hub: sequence.hub)
      has = sequence.revision
      base = has.flatMap(sequence.hub.snapshot)
    }

    /// Returns the message from the observer's snapshot to the current one, and waits while these are the same.
    ///
    /// - Parameter actor: The caller's isolation; snapshots are compared elsewhere.
    /// - Returns: A full snapshot or a patch; `nil` when the source is released or the task is cancelled.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async -> SnapshotMessage<Section>? {
      let hub = sequence.hub
      while let shown = await followed.next(isolation: actor) {
        let had = has
        guard had != shown.revision else {
          have(shown)
          continue
        }
        base = base ?? had.flatMap(hub.snapshot)
        let full = SnapshotMessage.snapshot(shown.snapshot, shown.revision, since: had)
        guard let base, base.revision.isFollowed(by: shown.revision) else {
          // The observer comes from another relay and is ahead of this one, so it waits.
          if followed.isRelay, let had, had == sequence.revision,
            shown.revision.isFollowed(by: had)
          {
            continue
          }
          have(shown)
          return full
        }
        let patch = await hub.patch(from: base, to: shown)
        // Nothing differs, so nothing is sent, and the next patch still starts at the observer's revision.
        if patch.stages.isEmpty { continue }
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
  /// When to send a full snapshot although a patch is possible.
  public enum FullRule: Hashable, Sendable {
    /// If the snapshot is probably not longer.
    ///
    /// An item in a patch has its position with it and is a third longer than in a snapshot; a removal or a move is a
    /// position alone. So each item and section that a patch contains counts 4, each other operation 1, and each item
    /// and section of a snapshot 3.
    case whereSmaller
    /// Never, for an observer that animates the changes of each row.
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
