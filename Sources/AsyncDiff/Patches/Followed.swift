import AsyncKnot

/// The source or relay that an observer follows, as a sequence of snapshots with revisions.
enum Followed<Section: SectionInflator>: Sendable {
  /// A source that numbers its own states; `history` is the number of sent snapshots to remember.
  case source(StateSequence<DiffableSnapshot<Section>>, history: Int)
  /// A relay, which uses the revisions of its origin and remembers the newest snapshots that it received.
  case relay(StateSequence<SnapshotMirror<Section>>)

  func makeIterator(hub: PatchHub<Section>) -> Iterator {
    switch self {
    case .source(let snapshots, let history):
      .source(snapshots.makeAsyncIterator(), epoch: hub.epoch, history: history)
    case .relay(let mirrors): .relay(mirrors.makeAsyncIterator())
    }
  }

  enum Iterator {
    case source(
      StateSequence<DiffableSnapshot<Section>>.AsyncIterator, epoch: UInt64, history: Int)
    case relay(StateSequence<SnapshotMirror<Section>>.AsyncIterator)

    /// The number of sent snapshots to remember; `nil` for a relay, which remembers what it receives.
    var history: Int? {
      switch self {
      case .source(_, _, let history): history
      case .relay: nil
      }
    }

    var isRelay: Bool { history == nil }

    /// Waits for a snapshot that this method has not returned before, and returns the newest one; `nil` at the end.
    mutating func next(isolation actor: isolated (any Actor)?) async -> RevisedSnapshot<Section>? {
      switch self {
      case .source(var snapshots, let epoch, let history):
        guard let snapshot = await snapshots.next(isolation: actor) else { return nil }
        self = .source(snapshots, epoch: epoch, history: history)
        return RevisedSnapshot(
          snapshot: snapshot.withoutMarks,
          revision: SnapshotRevision(epoch: epoch, number: snapshots.version))
      case .relay(var mirrors):
        while let mirror = await mirrors.next(isolation: actor) {
          self = .relay(mirrors)
          if let shown = mirror.shown { return shown }
        }
        return nil
      }
    }
  }
}
