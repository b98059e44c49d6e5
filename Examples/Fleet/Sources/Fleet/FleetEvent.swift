import AsyncDiff
import Foundation

/// What a page gets: what one list has that the page lacks.
///
/// It says nothing of other lists, so a machine costs the same bytes, however many there are.
struct FleetEvent: Sendable {
  /// What the page has of the list afterwards.
  let revision: SnapshotRevision
  let bytes: [UInt8]

  private struct Content<Section: SectionInflator>: Encodable
  where Section.DiffIdentifier: Codable, Section.Content: Codable, Section.Item: Codable {
    let log: String
    let message: SnapshotMessage<Section>
  }

  init?<Section: SectionInflator>(
    of log: String, _ message: SnapshotMessage<Section>, isPacked: Bool
  ) where Section.DiffIdentifier: Codable, Section.Content: Codable, Section.Item: Codable {
    // JSON without line feeds is one line of an event.
    guard let json = try? JSONEncoder().encode(Content(log: log, message: message)) else {
      return nil
    }
    revision = message.revision
    let bytes = Array("event: list\ndata: ".utf8) + json + Array("\n\n".utf8)
    self.bytes = isPacked ? Packed.part(bytes) : bytes
  }

  /// Says nothing but that both are there.
  static let beat = Array("event: beat\ndata: {}\n\n".utf8)
  static let packedBeat = Packed.part(beat)
}
