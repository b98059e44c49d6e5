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
    since revision: SnapshotRevision? = nil, full rule: FullSnapshotRule = .whereSmaller,
    history: Int = 32
  ) -> SnapshotPatches<Section> where State == DiffableSnapshot<Section> {
    SnapshotPatches(
      snapshots: knot.states, hub: knot.withCompanion({ PatchHub<Section>() }) { $0 },
      since: revision, rule: rule, history: history, compare: { $0.batches(to: $1) })
  }
}

/// What a source shows, as an observer elsewhere needs it: see ``AsyncKnot/StateSource/patches(since:full:history:)``.
public struct SnapshotPatches<Section: SectionInflator>: AsyncSequence, Sendable {
  /// A full snapshot or a patch.
  public typealias Element = SnapshotMessage<Section>
  /// It never fails.
  public typealias Failure = Never

  let snapshots: StateSequence<DiffableSnapshot<Section>>
  let hub: PatchHub<Section>
  let revision: SnapshotRevision?
  let rule: FullSnapshotRule
  let history: Int
  let compare: PatchHub<Section>.Compare

  /// The comparison is made where the section's type is known, so that it is compiled for that type.
  @usableFromInline
  init(
    snapshots: StateSequence<DiffableSnapshot<Section>>, hub: PatchHub<Section>,
    since revision: SnapshotRevision?, rule: FullSnapshotRule, history: Int,
    compare: @escaping PatchHub<Section>.Compare
  ) {
    precondition(
      history >= 0, "patches(since:full:history:): needs a history of 0 or more; got \(history)")
    self.snapshots = snapshots
    self.hub = hub
    self.revision = revision
    self.rule = rule
    self.history = history
    self.compare = compare
  }

  /// Makes an observer that has the snapshot of the revision given.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }

  /// One observer.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let sequence: SnapshotPatches
    private var snapshots: StateSequence<DiffableSnapshot<Section>>.AsyncIterator
    /// What the observer has: its patches start there.
    private var base: NumberedSnapshot<Section>?

    init(_ sequence: SnapshotPatches) {
      self.sequence = sequence
      snapshots = sequence.snapshots.makeAsyncIterator()
      base = sequence.revision.flatMap(sequence.hub.snapshot)
    }

    /// What leads from what the observer has to what is shown now; waits while these are the same.
    ///
    /// - Parameter actor: The caller's isolation; snapshots are compared elsewhere.
    /// - Returns: A full snapshot or a patch; nil when the source is gone or the task is cancelled.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async -> SnapshotMessage<Section>? {
      let hub = sequence.hub
      while let snapshot = await snapshots.next(isolation: actor) {
        let shown = NumberedSnapshot(
          number: snapshots.version, snapshot: snapshot.withoutMarks)
        let revision = SnapshotRevision(epoch: hub.epoch, number: shown.number)
        guard let base = base else {
          have(shown)
          if revision == sequence.revision { continue }
          return .snapshot(shown.snapshot, revision)
        }
        guard base.number != shown.number else { continue }
        let patch = await hub.patch(from: base, to: shown, sequence.compare)
        // The same is shown as before: the observer goes on from what it was told.
        if patch.stages.isEmpty { continue }
        have(shown)
        return sequence.rule.prefersFull(shown.snapshot, to: patch)
          ? .snapshot(shown.snapshot, revision) : .patch(patch)
      }
      return nil
    }

    /// What leads from what the observer has to what is shown now; waits while these are the same.
    nonisolated(nonsending) public mutating func next() async -> SnapshotMessage<Section>? {
      await next(isolation: #isolation)
    }

    private mutating func have(_ snapshot: NumberedSnapshot<Section>) {
      base = snapshot
      sequence.hub.remember(snapshot, limit: sequence.history)
    }
  }
}

@available(*, unavailable)
extension SnapshotPatches.AsyncIterator: Sendable {}
