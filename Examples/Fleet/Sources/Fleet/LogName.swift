import AsyncDiff

/// Checks names of logs, and parses the revisions of a page, such as `A=8123456789-15,B=4711-3`.
enum LogName {
  /// Returns whether a name is valid in a request.
  ///
  /// Only logs with valid names are shown.
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

  /// Parses a list of revisions, and skips invalid parts.
  static func revisions(_ text: some StringProtocol) -> [String: SnapshotRevision] {
    var revisions: [String: SnapshotRevision] = [:]
    for part in text.split(separator: ",") {
      let sides = part.split(separator: "=", maxSplits: 1).map { String($0) }
      guard sides.count == 2, isOne(sides[0]) || sides[0] == FleetList.name else { continue }
      revisions[sides[0]] = SnapshotRevision(sides[1])
    }
    return revisions
  }
}
