import AsyncDiff
import Foundation

/// Creates the bytes of the events for a page.
enum ServerSentEvent {
  /// A line that tells the browser to reconnect after 500 milliseconds.
  static let retry = Array("retry: 500\n\n".utf8)

  /// An event that keeps the connection alive.
  static let beat = Array("event: beat\ndata: {}\n\n".utf8)

  /// Returns the event with a snapshot or a patch, and with its revision.
  static func message(_ message: SnapshotMessage<Part>) -> [UInt8] {
    // The JSON contains no line feeds, so it fits on one line of an event.
    guard let json = try? JSONEncoder().encode(message) else { return [] }
    var bytes = Array("id: \(message.revision)\nevent: rows\ndata: ".utf8)
    bytes += json
    bytes += "\n\n".utf8
    return bytes
  }
}
