/// The kinds of line that are told apart.
enum LogFormat: String, CaseIterable, Sendable {
  case common, combined, nginx, syslog, dpkg, json
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

extension LogFormat {
  /// Where the format stands among all.
  var index: Int {
    switch self {
    case .common: 0
    case .combined: 1
    case .nginx: 2
    case .syslog: 3
    case .dpkg: 4
    case .json: 5
    case .other: 6
    case .malformed: 7
    }
  }
}

extension Category {
  /// Where the category stands among all.
  var index: Int {
    switch self {
    case .informational: 0
    case .success: 1
    case .redirect: 2
    case .clientError: 3
    case .serverError: 4
    case .debug: 5
    case .info: 6
    case .notice: 7
    case .warning: 8
    case .error: 9
    case .critical: 10
    case .install: 11
    case .upgrade: 12
    case .configure: 13
    case .status: 14
    case .trigger: 15
    case .remove: 16
    case .startup: 17
    case .conffile: 18
    case .other: 19
    case .malformed: 20
    }
  }
}

/// Text of a line: where it stands in the bytes that were parsed, or what was made of them.
enum Text: Hashable, Sendable {
  case part(Range<Int>)
  case made(String)

  /// What it reads.
  func string(in bytes: [UInt8]) -> String {
    switch self {
    case .part(let range): String(decoding: bytes[range], as: UTF8.self)
    case .made(let string): string
    }
  }
}

/// What one line says.
struct LogEntry: Hashable, Sendable {
  var format: LogFormat
  var category: Category
  /// What the busiest of is looked for: a path, a program, a package, a first word.
  var key: Text
  /// Seconds since 1970 of the time as written, whatever its zone: a chart shows what the reader reads.
  var time: Int?
  /// Who asked, with what, coming from where, where the format has them.
  var client: Text?
  var agent: Text?
  var referrer: Text?
  /// Bytes sent, and microseconds taken.
  var size: Int?
  var latency: Int?
}

extension LogEntry {
  /// How many bytes of a key tell it apart.
  static let keyLimit = 120

  init(
    _ format: LogFormat, _ category: Category, key: ArraySlice<UInt8>, time: Int? = nil
  ) {
    self.format = format
    self.category = category
    self.key = key.isEmpty ? .made("-") : Self.text(key)
    self.time = time
  }

  /// As much of a text as tells it apart.
  static func text(_ bytes: ArraySlice<UInt8>) -> Text {
    .part(bytes.startIndex..<min(bytes.endIndex, bytes.startIndex + keyLimit))
  }
}
