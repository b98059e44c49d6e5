/// Recognizes the format of a line and returns the parts that are counted.
///
/// Parsing never fails, because text in an unknown format is counted by its first word.
struct LogParser: Sendable {
  /// The year of the syslog lines that do not contain a year.
  var year: Int

  /// Parses one line, which must be valid UTF-8.
  func parse(_ bytes: ArraySlice<UInt8>) -> LogEntry {
    AccessLog.parse(bytes) ?? Syslog.parse(bytes, year: year) ?? other(bytes)
  }

  private func other(_ bytes: ArraySlice<UInt8>) -> LogEntry {
    var scanner = FieldScanner(bytes)
    guard let word = scanner.word() else {
      return LogEntry(format: .other, category: .other, key: .made("(blank)"))
    }
    return LogEntry(.other, .other, key: word)
  }
}
