/// The format of a line.
enum LogFormat: String, CaseIterable, Sendable {
  case common, combined, syslog
  /// Text in an unknown format, which is counted by its first word.
  case other
  /// A line that is not UTF-8 text or is too long.
  case malformed
}

/// The category of a line: a class of HTTP status codes, or a log level.
enum Category: String, CaseIterable, Sendable {
  case informational = "1xx"
  case success = "2xx"
  case redirect = "3xx"
  case clientError = "4xx"
  case serverError = "5xx"
  case debug, info, notice, warning, error, critical
  case other, malformed
}

extension LogFormat {
  /// The index of this case in `allCases`.
  var index: Int {
    switch self {
    case .common: 0
    case .combined: 1
    case .syslog: 2
    case .other: 3
    case .malformed: 4
    }
  }
}

extension Category {
  /// The index of this case in `allCases`.
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
    case .other: 11
    case .malformed: 12
    }
  }
}

/// Text in a line: a range of the parsed bytes, or a newly created string.
enum Text: Hashable, Sendable {
  case part(Range<Int>)
  case made(String)

  /// Returns the text as a string.
  func string(in bytes: [UInt8]) -> String {
    switch self {
    case .part(let range): String(decoding: bytes[range], as: UTF8.self)
    case .made(let string): string
    }
  }
}

/// A parsed line.
struct LogEntry: Hashable, Sendable {
  var format: LogFormat
  var category: Category
  /// The text that is ranked: a path, a program, or the first word of a line.
  var key: Text
  /// The time in seconds since 1970, without regard to its time zone, so that a chart shows the times as they are in the log.
  var time: Int?
  /// The client that sent the request, if the format has one.
  var client: Text?
  var agent: Text?
  var referrer: Text?
  /// The response size in bytes.
  var size: Int?
  /// The response time in microseconds.
  var latency: Int?
}

extension LogEntry {
  /// The maximum number of bytes of a key that are compared.
  ///
  /// Later bytes are ignored.
  static let keyLimit = 120

  init(
    _ format: LogFormat, _ category: Category, key: ArraySlice<UInt8>, time: Int? = nil
  ) {
    self.format = format
    self.category = category
    self.key = key.isEmpty ? .made("-") : Self.text(key)
    self.time = time
  }

  /// Returns the part of a text that is compared.
  static func text(_ bytes: ArraySlice<UInt8>) -> Text {
    .part(bytes.startIndex..<min(bytes.endIndex, bytes.startIndex + keyLimit))
  }
}
