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
///   try await ask(error.revisionToAskSince)
/// }
/// ```
/// Messages may be lost, repeated, late or damaged: the mirror shows what the source has shown at one moment, and
/// never goes back within an epoch.
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
  public private(set) var snapshot = DiffableSnapshot<Section>()
  /// Which one it is: what to ask for patches since.
  ///
  /// Nil before the first message.
  public private(set) var revision: SnapshotRevision?

  /// Creates a mirror that has nothing yet.
  public init() {}

  /// Takes a message in.
  ///
  /// A full snapshot of another epoch replaces what is here. One of the same epoch that is not newer is a
  /// repeat, as is a patch that leads nowhere newer.
  ///
  /// - Parameter message: What came.
  /// - Returns: What it changed.
  /// - Throws: ``MirrorError`` for a patch that does not start at what is here, or does not fit it. Then
  ///   nothing has changed.
  /// - Complexity: For a patch O(sections + *k* log *k*) for *k* operations, and the items of the sections that
  ///   they concern.
  @discardableResult
  public mutating func apply(
    _ message: SnapshotMessage<Section>
  ) throws(MirrorError) -> Outcome {
    switch message {
    case .snapshot(let snapshot, let revision):
      guard !isKnown(revision) else { return .repeated }
      self.snapshot = snapshot
      self.revision = revision
      return .replaced
    case .patch(let patch):
      guard let has = revision else { throw .nothingToPatch(from: patch.from) }
      guard has.epoch == patch.from.epoch else {
        throw .otherEpoch(has: has, from: patch.from)
      }
      guard !isKnown(patch.to) else { return .repeated }
      guard has == patch.from else { throw .gap(has: has, from: patch.from) }
      let batches: [BatchUpdates<Section>]
      do throws(PatchError) {
        batches = try patch.batches(from: snapshot)
      } catch {
        throw .malformed(has: has, error)
      }
      snapshot = batches.last?.snapshot ?? snapshot
      revision = patch.to
      return .updated(batches)
    }
  }

  /// Whether the mirror has a snapshot or a newer one.
  private func isKnown(_ other: SnapshotRevision) -> Bool {
    guard let revision, revision.epoch == other.epoch else { return false }
    return other.number <= revision.number
  }
}
