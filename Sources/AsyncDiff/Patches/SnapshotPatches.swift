public import AsyncKnot

extension StateSource {
  /// What the source shows, to be followed from elsewhere: a full snapshot or one patch at a time.
  ///
  /// ```swift
  /// let known = SnapshotRevision(lastEventID)  // nil for a text that is none: then it has nothing
  /// for await message in source.patches(since: known) {
  ///   try await connection.send(encoder.encode(message), id: message.revision.description)
  ///   try await connection.acknowledgment(of: message.revision)
  /// }
  /// ```
  /// The observer pulls. Each element leads from what the observer was given last to what is shown at that
  /// moment, whatever lies between: an observer that is slow, or waits for an acknowledgment, gets fewer and
  /// larger patches and costs the source nothing. Observers that ask for the same patch at one time share
  /// the comparison.
  ///
  /// The first element is there at once, unless `revision` is what is shown. It is a patch where the source
  /// still has the snapshot that `revision` names: it keeps the newest snapshots that were given to anybody.
  /// Else it is a full snapshot. The sequence ends with the source, or when the task is cancelled. Marks
  /// (`reloadItems`) are for a surface and are not part of a patch.
  ///
  /// - Parameters:
  ///   - revision: What the observer has already; nil for nothing.
  ///   - rule: When a full snapshot is given although a patch is possible.
  ///   - history: How many given snapshots the source keeps for observers that come back; of several observers, the
  ///     most that one wants. They share their storage as far as they have sections in common.
  /// - Returns: The messages; each iterator is an observer of its own.
  @inlinable
  public nonisolated func patches<Section: SectionInflator>(
    since revision: SnapshotRevision? = nil,
    full rule: SnapshotPatches<Section>.FullRule = .whereSmaller, history: Int = 32
  ) -> SnapshotPatches<Section> where State == DiffableSnapshot<Section> {
    SnapshotPatches(
      of: knot, since: revision, rule: rule, history: history, compare: { $0.batches(to: $1) })
  }
}

/// What a source shows, as an observer elsewhere needs it: see ``AsyncKnot/StateSource/patches(since:full:history:)``.
public struct SnapshotPatches<Section: SectionInflator>: AsyncSequence, Sendable {
  /// A full snapshot or a patch.
  public typealias Element = SnapshotMessage<Section>
  /// It never fails.
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

  /// Makes an observer that has the snapshot of the revision given.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }

  /// One observer.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let sequence: SnapshotPatches
    private var followed: Followed<Section>.Iterator
    /// What the observer has.
    private var has: SnapshotRevision?
    /// The snapshot that the observer has, if it is known: its patches start there.
    private var base: RevisedSnapshot<Section>?

    init(_ sequence: SnapshotPatches) {
      self.sequence = sequence
      followed = sequence.followed.makeIterator(hub: sequence.hub)
      has = sequence.revision
      base = has.flatMap(sequence.hub.snapshot)
    }

    /// What leads from what the observer has to what is shown now; waits while these are the same.
    ///
    /// - Parameter actor: The caller's isolation; snapshots are compared elsewhere.
    /// - Returns: A full snapshot or a patch; nil when the source is gone or the task is cancelled.
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
          // The observer comes from another relay and has more than this one: it waits for this one.
          if followed.isRelay, let had, had == sequence.revision,
            shown.revision.isFollowed(by: had)
          {
            continue
          }
          have(shown)
          return full
        }
        let patch = await hub.patch(from: base, to: shown)
        // Nothing differs, so nothing is sent: the next patch still starts at what the observer has.
        if patch.stages.isEmpty { continue }
        have(shown)
        return sequence.rule.prefersFull(shown.snapshot, to: patch) ? full : .patch(patch)
      }
      return nil
    }

    /// What leads from what the observer has to what is shown now; waits while these are the same.
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
      + sectionInserts.reduce(0) { $0 + 1 + $1.value.rows.count }
    return 4 * contents + sectionDeletes.count + sectionMoves.count + itemDeletes.count
      + itemMoves.count
  }
}
