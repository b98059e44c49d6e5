/// The kinds of line that are told apart.
enum LogFormat: String, CaseIterable, Sendable {
  case common, combined, syslog, dpkg, json
  /// Text of no format known here, counted by its first word.
  case other
  /// Not text, or longer than a line can be.
  case malformed
}

/// What a line is counted as: a class of status, a level, or what a package went through.
enum Category: String, CaseIterable, Sendable {
  case informational = "1xx"
  case success = "2xx"
  case redirect = "3xx"
  case clientError = "4xx"
  case serverError = "5xx"
  case debug, info, notice, warning, error, critical
  case install, upgrade, configure, status, trigger, remove, startup, conffile
  case other, malformed
}

/// What one line says.
struct LogEntry: Hashable, Sendable {
  var format: LogFormat
  var category: Category
  /// What the busiest of is looked for: a path, a program, a package, a first word.
  var key: String
  /// Seconds since 1970 of the time as written, whatever its zone: a chart shows what the reader reads.
  var time: Int?
}

extension LogEntry {
  /// How many bytes of a key tell it apart.
  static let keyLimit = 120

  init(
    _ format: LogFormat, _ category: Category, key: ArraySlice<UInt8>, time: Int? = nil
  ) {
    self.format = format
    self.category = category
    self.key = key.isEmpty ? "-" : String(decoding: key.prefix(Self.keyLimit), as: UTF8.self)
    self.time = time
  }
}
