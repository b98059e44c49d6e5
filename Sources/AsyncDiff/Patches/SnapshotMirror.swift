/// What a source elsewhere shows, made of the messages that come from there.
///
/// <!-- sample:
/// import Foundation
/// func follow(_ mirror: inout SnapshotMirror<Day>, _ message: SnapshotMessage<Day>) async throws {
///   func ask(_ known: SnapshotRevision?) async throws {}
///   …
/// }
/// -->
/// ```swift
/// do throws(MirrorError) {
///   switch try mirror.apply(message) {
///   case .replaced: try? await surface.reloadData(mirror.snapshot)
///   case .updated(let batches):
///     for batch in batches { try? await surface.performBatchUpdates(batch, animated: true) }
///   case .repeated: break
///   }
/// } catch {
///   print(error)  // a patch from 7-5, but 7-3 is here: something is missing
///   try await ask(mirror.revision)
/// }
/// ```
/// Messages may be lost, repeated or late: the mirror shows what the source has shown at one moment, and
/// never goes back within an epoch. Damage is for the transport to find.
public struct SnapshotMirror<Section: SectionInflator>: Sendable {
  /// What a message changed.
  public enum Outcome: Sendable, Equatable {
    /// Everything: it was a full snapshot.
    case replaced
    /// What these batches say; a surface that shows what the mirror had can carry them out.
    case updated([BatchUpdates<Section>])
    /// Nothing: the mirror had that already, or something newer.
    case repeated
  }

  /// What the source has shown; empty before the first message.
  public private(set) var snapshot: DiffableSnapshot<Section>
  /// The revision of the last message that was taken: the mirror never goes back behind it.
  private var last: SnapshotRevision?
  /// Whether a patch did not fit since then, so that nobody knows what is here.
  private var isDamaged = false

  /// Which one it is: what to ask for patches since.
  ///
  /// Nil before the first message, and after a patch that did not fit: ask for everything.
  public var revision: SnapshotRevision? { isDamaged ? nil : last }

  /// Creates a mirror that has nothing yet.
  public init() {
    snapshot = DiffableSnapshot()
  }

  /// Creates a mirror that has a snapshot already: what a store has kept, for instance.
  ///
  /// - Parameters:
  ///   - snapshot: The snapshot.
  ///   - revision: Which one it is.
  public init(_ snapshot: DiffableSnapshot<Section>, at revision: SnapshotRevision) {
    self.snapshot = snapshot.withoutMarks
    last = revision
  }

  /// The snapshot and its revision; nil if the mirror has nothing that it knows the revision of.
  var shown: RevisedSnapshot<Section>? {
    revision.map { RevisedSnapshot(snapshot: snapshot, revision: $0) }
  }

  /// Takes a message in.
  ///
  /// A full snapshot is taken if it answers what the mirror asked, that is, says that it was asked for since
  /// the mirror's revision; or if it is newer, of the same epoch. An older one is a repeat, as is a patch
  /// that leads nowhere newer. After a patch that did not fit, what is as new as the last revision is taken.
  ///
  /// - Parameter message: What came.
  /// - Returns: What it changed.
  /// - Throws: ``MirrorError`` for a patch that does not start at what is here, or does not fit it, and for
  ///   a message of another epoch that nobody asked for. Then the snapshot has not changed.
  /// - Complexity: For a patch O(sections + *k* log *k*) for *k* operations, and the items of the sections that
  ///   they concern.
  @discardableResult
  public mutating func apply(
    _ message: SnapshotMessage<Section>
  ) throws(MirrorError) -> Outcome {
    switch message {
    case .snapshot(let snapshot, let came, let since):
      if let last, isDamaged || last != since {
        guard last.epoch == came.epoch || since == revision else {
          throw .otherEpoch(has: last, came: came)
        }
        let isOlder = isDamaged ? came.isFollowed(by: last) : !last.isFollowed(by: came)
        if isOlder { return .repeated }
      }
      self = Self(snapshot, at: came)
      return .replaced
    case .patch(let patch):
      guard let has = revision else { throw .gap(has: nil, from: patch.from) }
      guard has.epoch == patch.from.epoch else {
        throw .otherEpoch(has: has, came: patch.to)
      }
      guard has.number < patch.number else { return .repeated }
      guard has == patch.from else { throw .gap(has: has, from: patch.from) }
      isDamaged = true
      let batches = try patch.batches(from: snapshot)
      self = Self(batches.last?.snapshot ?? snapshot, at: patch.to)
      return .updated(batches)
    }
  }

  /// The patch from what is here to a snapshot, numbered as the next one: how a writer makes what it
  /// publishes.
  ///
  /// <!-- sample:
  /// struct Log { func append(_ patch: SnapshotPatch<Day>) async throws {} }
  /// func publish(
  ///   _ edited: DiffableSnapshot<Day>, _ mirror: inout SnapshotMirror<Day>, to log: Log
  /// ) async throws {
  ///   …
  /// }
  /// -->
  /// ```swift
  /// guard let patch = mirror.patch(to: edited) else { return }
  /// try await log.append(patch)
  /// try mirror.apply(.patch(patch))
  /// ```
  /// - Parameter snapshot: What comes next.
  /// - Returns: The patch; nil if nothing is here yet, or no number comes after the one that is here.
  /// - Complexity: That of `batches(to:)`.
  @inlinable
  public func patch(to snapshot: DiffableSnapshot<Section>) -> SnapshotPatch<Section>? {
    guard let revision, revision.number < .max else { return nil }
    return SnapshotPatch(
      from: revision, to: revision.number + 1,
      stages: self.snapshot.batches(to: snapshot).map { SnapshotPatch.Stage($0) })
  }
}

/// Why a mirror refused a message; it shows what it did before.
///
/// In any case ask for patches since the mirror's revision.
public enum MirrorError: Error, Hashable, Sendable {
  /// A patch starts at another snapshot than the mirror has: messages between them are missing.
  ///
  /// A mirror that has nothing yet has no revision.
  case gap(has: SnapshotRevision?, from: SnapshotRevision)
  /// A message is of another epoch and answers no question of this mirror: it comes from another source, or
  /// is a late one of the same source before or after it was started anew.
  case otherEpoch(has: SnapshotRevision, came: SnapshotRevision)
  /// A patch contradicts itself or the snapshot of this revision, at which it says it starts; the text names
  /// the rule and the value.
  ///
  /// Either of them is damaged: the mirror has forgotten its revision, and takes the next full snapshot.
  case malformed(SnapshotRevision, String)
}

extension MirrorError: CustomStringConvertible {
  /// The revisions and the rule.
  public var description: String {
    switch self {
    case .gap(nil, let from): "a patch from \(from), but there is no snapshot yet"
    case .gap(let has?, let from): "a patch from \(from), but \(has) is here: something is missing"
    case .otherEpoch(let has, let came): "\(came) came, but \(has) is here: the epoch is another"
    case .malformed(let has, let problem): "a patch that does not fit \(has): \(problem)"
    }
  }
}
