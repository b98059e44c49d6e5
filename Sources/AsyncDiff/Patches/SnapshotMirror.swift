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
  /// Which one it is: what to ask for patches since.
  ///
  /// Nil before the first message, and after a patch that did not fit.
  public private(set) var revision: SnapshotRevision?

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
    self.revision = revision
  }

  /// The snapshot and its revision; nil if the mirror has nothing that it knows the revision of.
  var shown: RevisedSnapshot<Section>? {
    revision.map { RevisedSnapshot(snapshot: snapshot, revision: $0) }
  }

  /// Takes a message in.
  ///
  /// A full snapshot is taken if it answers what the mirror asked, that is, says that it was asked for since
  /// the mirror's revision; or if it is newer, of the same epoch. An older one is a repeat, as is a patch
  /// that leads nowhere newer.
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
      if let has = revision, has != since {
        guard has.epoch == came.epoch else { throw .otherEpoch(has: has, came: came) }
        guard has.number < came.number else { return .repeated }
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
      // After a patch that does not fit, nobody knows what is here.
      revision = nil
      let batches = try patch.batches(from: snapshot)
      snapshot = batches.last?.snapshot ?? snapshot
      revision = patch.to
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
  /// - Returns: The patch; nil if nothing is here yet.
  /// - Complexity: That of `batches(to:)`.
  @inlinable
  public func patch(to snapshot: DiffableSnapshot<Section>) -> SnapshotPatch<Section>? {
    revision.map { revision in
      SnapshotPatch(
        from: revision, to: revision.number + 1,
        stages: self.snapshot.batches(to: snapshot).map { SnapshotPatch.Stage($0) })
    }
  }
}
