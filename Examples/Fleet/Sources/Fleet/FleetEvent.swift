import AsyncDiff
import Foundation

/// What a page gets: all machines, or what one list has that the page lacks.
///
/// Each list is an event of its own, so a page whose connection does not last gets on all the same.
struct FleetEvent: Encodable {
  var machines: [Gateway.Machine]?
  var trouble: String?
  var log: String?
  var message: SnapshotMessage<MachineList>?

  /// Says nothing but that both are there.
  static let beat = Array("event: beat\ndata: {}\n\n".utf8)
  static let packedBeat = Packed.part(beat)

  /// The event, under the revisions that the page has then; without a server it tries again after 500 ms.
  func bytes(_ revisions: [String: SnapshotRevision]) -> [UInt8] {
    // JSON without line feeds is one line of an event.
    guard let json = try? JSONEncoder().encode(self) else { return [] }
    var bytes = Array("retry: 500\nid: \(LogName.text(revisions))\nevent: fleet\ndata: ".utf8)
    bytes += json
    bytes += "\n\n".utf8
    return bytes
  }
}

/// Names of logs, and what stands in an event's id: `A=8123456789-15,B=4711-3`.
enum LogName {
  /// Whether a name can stand in an id.
  static func isOne(_ name: String) -> Bool {
    (1...64).contains(name.utf8.count)
      && name.utf8.allSatisfy {
        switch $0 {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"),
          UInt8(ascii: "-"):
          true
        default: false
        }
      }
  }

  static func text(_ revisions: [String: SnapshotRevision]) -> String {
    revisions.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: ",")
  }

  /// What ``text(_:)`` gives; a part that is none is left out.
  static func revisions(_ text: String) -> [String: SnapshotRevision] {
    var revisions: [String: SnapshotRevision] = [:]
    for part in text.split(separator: ",") {
      let sides = part.split(separator: "=", maxSplits: 1).map { String($0) }
      guard sides.count == 2, isOne(sides[0]) else { continue }
      revisions[sides[0]] = SnapshotRevision(sides[1])
    }
    return revisions
  }
}
