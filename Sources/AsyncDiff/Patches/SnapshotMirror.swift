/// A copy of a remote source's snapshot, kept up to date by the source's messages.
///
/// <!-- sample:
/// import Foundation
/// func follow(
///   _ mirror: inout SnapshotMirror<Day>, _ message: SnapshotMessage<Day>, _ isShown: inout Bool
/// ) async throws {
///   func ask(_ known: SnapshotRevision?) async throws {}
///   …
/// }
/// -->
/// ```swift
/// do throws(MirrorError) {
///   switch try mirror.apply(message) {
///   case .replaced: isShown = false
///   case .updated(let batches) where isShown:
///     do {
///       for batch in batches { try await surface.performBatchUpdates(batch, animated: true) }
///     } catch {
///       isShown = false
///     }
///   case .updated, .repeated: break
///   }
///   if !isShown { isShown = (try? await surface.reloadData(mirror.snapshot)) != nil }
/// } catch {
///   print(error)  // the patch starts at 7-5, but the mirror has 7-3; ask for the changes since 7-3
///   try await ask(mirror.revision)
/// }
/// ```
/// `isShown` tells whether the surface shows the mirror's list, and is `false` at first. Messages may be lost, repeated or late.
/// The mirror always shows a state that the source has shown. The mirror never goes back to an older revision of the same epoch,
/// unless a full snapshot answers the mirror's own request. The transport must detect damaged messages.
public struct SnapshotMirror<Section: SectionInflator>: Sendable {
  /// The effect of a message.
  public enum Outcome: Sendable, Equatable {
    /// The message was a full snapshot, which replaced the mirror's snapshot.
    case replaced
    /// The message was a patch; the batches carry out its changes on a surface that shows the mirror's previous snapshot.
    case updated([BatchUpdates<Section>])
    /// Nothing changed, because the mirror already had this revision or a newer one.
    case repeated
  }

  /// The source's snapshot; empty if the mirror has none yet.
  public private(set) var snapshot: DiffableSnapshot<Section>
  /// The revision of the last accepted message.
  private var last: SnapshotRevision?
  /// Whether a patch has failed since the last accepted message, so the snapshot may be damaged.
  private var isDamaged = false

  /// The revision of ``snapshot``, for `patches(since:)`.
  ///
  /// `nil` if the mirror has no snapshot yet, and after a patch that did not fit the snapshot. In both cases, ask for a full
  /// snapshot.
  public var revision: SnapshotRevision? { isDamaged ? nil : last }

  /// Creates an empty mirror.
  public init() {
    snapshot = DiffableSnapshot()
  }

  /// Creates a mirror that already has a snapshot, for instance from a store.
  public init(_ snapshot: DiffableSnapshot<Section>, at revision: SnapshotRevision) {
    self.snapshot = snapshot.withoutMarks
    last = revision
  }

  /// The snapshot and its revision; `nil` if the revision is unknown.
  var shown: RevisedSnapshot<Section>? {
    revision.map { RevisedSnapshot(snapshot: snapshot, revision: $0) }
  }

  /// Applies a message.
  ///
  /// The mirror accepts a full snapshot in four cases:
  /// - The mirror has no snapshot.
  /// - `since` is the mirror's revision, because the snapshot is then the response to the mirror's own request.
  /// - The snapshot is newer, and of the same epoch.
  /// - The last patch did not fit, and the snapshot has the mirror's revision.
  ///
  /// Any other snapshot of the same epoch counts as a repeat, like a patch to the same or an older revision.
  ///
  /// - Parameter message: The source's next message.
  /// - Returns: The effect of the message.
  /// - Throws: ``MirrorError`` for a patch that does not start at the mirror's revision or does not fit its snapshot,
  ///   and for an unrequested message of another epoch. The mirror's snapshot stays unchanged.
  /// - Complexity: For a patch with *k* operations, O(sections + *k* log *k* + items of the affected sections).
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

  /// Returns the patch that leads to the next snapshot, for a writer that publishes its changes.
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
  /// - Parameter snapshot: The next snapshot.
  /// - Returns: The patch; `nil` if the mirror has no revision, or the number of its revision is `UInt64.max`.
  /// - Complexity: The same as for `batches(to:)`.
  @inlinable
  public func patch(to snapshot: DiffableSnapshot<Section>) -> SnapshotPatch<Section>? {
    guard let revision, revision.number < .max else { return nil }
    return SnapshotPatch(
      from: revision, to: revision.number + 1,
      stages: self.snapshot.batches(to: snapshot.withoutMarks).map { SnapshotPatch.Stage($0) })
  }
}

/// The reason why a mirror refused a message; the mirror's snapshot is unchanged.
///
/// In each case, ask for patches since the mirror's revision.
public enum MirrorError: Error, Hashable, Sendable {
  /// A patch does not start at the mirror's revision, because messages are missing or came out of order.
  ///
  /// `has` is `nil` if the mirror has no revision.
  case gap(has: SnapshotRevision?, from: SnapshotRevision)
  /// A message belongs to another epoch and was not requested.
  ///
  /// The message comes from another source, or the source restarted between this message and the mirror's last one.
  case otherEpoch(has: SnapshotRevision, came: SnapshotRevision)
  /// A patch contradicts itself, or does not fit the snapshot at which it starts.
  ///
  /// The text states the broken rule and the offending value. The patch or the snapshot is damaged, so the mirror forgets its
  /// revision until it accepts a full snapshot.
  case malformed(SnapshotRevision, String)
}

extension MirrorError: CustomStringConvertible {
  /// The problem, with the revisions of the message and of the mirror.
  public var description: String {
    switch self {
    case .gap(nil, let from):
      "the patch starts at \(from), but the mirror has no revision; ask for a full snapshot"
    case .gap(let has?, let from):
      "the patch starts at \(from), but the mirror has \(has); ask for the changes since \(has)"
    case .otherEpoch(let has, let came):
      "the message has \(came), but the mirror has \(has) of another epoch; ask for the changes since \(has)"
    case .malformed(let has, let problem):
      "the patch does not fit the snapshot \(has): \(problem); ask for a full snapshot"
    }
  }
}
