import AsyncDiff
import Foundation

/// An event for a page, with the next message of one list.
///
/// The event contains nothing about other lists, so the number of bytes for one machine does not depend on the number of
/// machines.
struct FleetEvent: Sendable {
  /// The revision that a page's list has after the page has applied the event.
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
    // The JSON contains no line feeds, so it fits on one line of an event.
    guard let json = try? JSONEncoder().encode(Content(log: log, message: message)) else {
      return nil
    }
    revision = message.revision
    let bytes = Array("event: list\ndata: ".utf8) + json + Array("\n\n".utf8)
    self.bytes = isPacked ? Packed.part(bytes) : bytes
  }

  /// An event that keeps the connection alive.
  static let beat = Array("event: beat\ndata: {}\n\n".utf8)
  static let packedBeat = Packed.part(beat)
}
