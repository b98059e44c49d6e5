import AsyncDiff
import Foundation

/// The events that a page gets, as bytes.
enum ServerSentEvent {
  /// How long a browser waits before it connects again, in milliseconds.
  static let retry = Array("retry: 500\n\n".utf8)

  /// Says nothing but that both are there.
  static let beat = Array("event: beat\ndata: {}\n\n".utf8)

  /// A snapshot or a patch, under its revision.
  static func message(_ message: SnapshotMessage<Part>) -> [UInt8] {
    // JSON without line feeds is one line of an event.
    guard let json = try? JSONEncoder().encode(message) else { return [] }
    var bytes = Array("id: \(message.revision)\nevent: rows\ndata: ".utf8)
    bytes += json
    bytes += "\n\n".utf8
    return bytes
  }
}
