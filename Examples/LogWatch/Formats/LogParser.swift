/// Tells what a line is and takes from it what is counted.
///
/// It never fails: text of no known format counts by its first word.
struct LogParser: Sendable {
  /// The year of a syslog line, which does not name it.
  var year: Int

  /// What one line says; the line must be valid UTF-8.
  func parse(_ bytes: ArraySlice<UInt8>) -> LogEntry {
    known(bytes) ?? other(bytes)
  }

  private func known(_ bytes: ArraySlice<UInt8>) -> LogEntry? {
    guard let first = bytes.first else { return nil }
    switch first {
    case UInt8(ascii: "{"): return JSONLine.parse(bytes)
    case UInt8(ascii: "<"): return Syslog.parse(bytes, year: year)
    case UInt8(ascii: "0")...UInt8(ascii: "9") where isDate(bytes):
      return DpkgLog.parse(bytes) ?? Syslog.parse(bytes, year: year)
    case UInt8(ascii: "0")...UInt8(ascii: "9") where NginxError.isDate(bytes):
      return NginxError.parse(bytes)
    default: return AccessLog.parse(bytes) ?? Syslog.parse(bytes, year: year)
    }
  }

  private func isDate(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.count > 10 && bytes[bytes.startIndex + 4] == UInt8(ascii: "-")
      && bytes[bytes.startIndex + 7] == UInt8(ascii: "-")
  }

  private func other(_ bytes: ArraySlice<UInt8>) -> LogEntry {
    var scanner = FieldScanner(bytes)
    guard let word = scanner.word() else {
      return LogEntry(format: .other, category: .other, key: .made("(blank)"))
    }
    return LogEntry(.other, .other, key: word)
  }
}
