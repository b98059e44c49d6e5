import AsyncDiff
import Foundation

/// The events for a page, as bytes.
enum ServerSentEvent {
  /// The time before a browser reconnects, in milliseconds.
  static let retry = Array("retry: 500\n\n".utf8)

  /// An event that keeps the connection alive.
  static let beat = Array("event: beat\ndata: {}\n\n".utf8)

  /// A snapshot or a patch with its revision.
  static func message(_ message: SnapshotMessage<Part>) -> [UInt8] {
    // The JSON has no line feeds, so it fits on one line of an event.
    guard let json = try? JSONEncoder().encode(message) else { return [] }
    var bytes = Array("id: \(message.revision)\nevent: rows\ndata: ".utf8)
    bytes += json
    bytes += "\n\n".utf8
    return bytes
  }
}
