/// Turns journald's export format (`journalctl -o export`) into lines of syslog, one a record, as its
/// bytes arrive; any other log passes through as it is.
///
/// A record is a group of fields, `NAME=value` each, and ends with a blank line. A value with line feeds
/// is written as `NAME`, a line feed, its length in eight bytes, and itself. What a line needs is kept
/// of a record, at most `limit` bytes of each field.
struct JournalExport: Sendable {
  private enum Place {
    /// Before the first bytes say which format this is.
    case start
    case otherLog
    /// In a line: a field, or the name of a binary one.
    case line
    /// In the length of a binary value, of which so many bytes are still to come.
    case length(left: Int, value: UInt64)
    /// In a binary value of which so many bytes are still to come, its line feed included.
    case value(left: UInt64)
  }

  private static let mark = Array("__CURSOR=".utf8)
  private static let limit = 4096
  private static let wanted = [
    "__REALTIME_TIMESTAMP", "PRIORITY", "SYSLOG_IDENTIFIER", "_COMM", "_HOSTNAME", "_PID",
    "MESSAGE",
  ]

  private var place = Place.start
  /// The bytes of the current line or binary value, cut at the limit.
  private var bytes: [UInt8] = []
  private var name = ""
  private var fields: [String: [UInt8]] = [:]

  /// The lines that these bytes complete.
  mutating func lines(_ chunk: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    if case .otherLog = place { return chunk }
    var output: [UInt8] = []
    var rest = chunk
    if case .start = place {
      bytes += chunk
      rest = []
      if bytes.count < Self.mark.count, Self.mark.starts(with: bytes) { return [] }
      let isJournal = bytes.starts(with: Self.mark)
      (rest, bytes) = (bytes[...], [])
      place = isJournal ? .line : .otherLog
      if !isJournal { return rest }
    }
    while let byte = rest.popFirst() { take(byte, &output) }
    return output[...]
  }

  /// What is left at the end of the log; a record that was not ended there is one.
  mutating func finish() -> ArraySlice<UInt8> {
    defer { self = JournalExport() }
    if case .start = place { return bytes[...] }
    if case .otherLog = place { return [] }
    var output: [UInt8] = []
    if !bytes.isEmpty { endLine(&output) }
    endRecord(&output)
    return output[...]
  }

  private mutating func take(_ byte: UInt8, _ output: inout [UInt8]) {
    switch place {
    case .start, .otherLog: break
    case .line where byte == 0x0A: endLine(&output)
    case .line: keep(byte)
    case .length(let left, let value):
      let value = value >> 8 | UInt64(byte) << 56
      // A length that no value has would swallow the rest of the log.
      place =
        left > 1
        ? .length(left: left - 1, value: value)
        : value > 1 << 32 ? .line : .value(left: value + 1)
    case .value(let left):
      if left > 1 {
        keep(byte)
        place = .value(left: left - 1)
      } else {
        note(bytes[...])
        place = .line
      }
    }
  }

  private mutating func keep(_ byte: UInt8) {
    if bytes.count < Self.limit { bytes.append(byte) }
  }

  private mutating func note(_ value: ArraySlice<UInt8>) {
    if Self.wanted.contains(name) { fields[name] = value.map { $0 < 0x20 ? 0x20 : $0 } }
    bytes.removeAll(keepingCapacity: true)
  }

  private mutating func endLine(_ output: inout [UInt8]) {
    if bytes.isEmpty { return endRecord(&output) }
    let end = bytes.firstIndex(of: UInt8(ascii: "="))
    name = String(decoding: bytes[..<(end ?? bytes.endIndex)], as: UTF8.self)
    if let end { return note(bytes[(end + 1)...]) }
    bytes.removeAll(keepingCapacity: true)
    place = .length(left: 8, value: 0)
  }

  /// `<6>1 2024-06-13T10:00:00Z host program 812 - - message`.
  private mutating func endRecord(_ output: inout [UInt8]) {
    guard !fields.isEmpty else { return }
    func text(_ names: String...) -> String {
      let value = names.compactMap { fields[$0] }.first { !$0.isEmpty }
      return String(decoding: value ?? [UInt8(ascii: "-")], as: UTF8.self).replacing(" ", with: "_")
    }
    let (date, clock) = LogTime.text((Int(text("__REALTIME_TIMESTAMP")) ?? 0) / 1_000_000)
    let level = Int(text("PRIORITY")).flatMap { (0...7).contains($0) ? $0 : nil } ?? 6
    let program = text("SYSLOG_IDENTIFIER", "_COMM")
    output +=
      "<\(level)>1 \(date)T\(clock)Z \(text("_HOSTNAME")) \(program) \(text("_PID")) - - ".utf8
    output += fields["MESSAGE"] ?? []
    output.append(0x0A)
    fields = [:]
  }
}
