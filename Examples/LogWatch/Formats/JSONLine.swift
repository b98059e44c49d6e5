/// One JSON object a line, as most services log.
enum JSONLine {
  private static let levelNames: Set<String> = ["level", "severity", "lvl", "loglevel"]
  private static let timeNames: Set<String> = ["time", "timestamp", "ts", "@timestamp", "date"]
  /// What a line is about, the most telling name first.
  private static let keyNames = [
    "path", "url", "route", "logger", "service", "component", "module", "program", "name", "event",
    "msg", "message",
  ]

  static func parse(_ bytes: ArraySlice<UInt8>) -> LogEntry? {
    var level: Category?
    var status: Category?
    var time: Int?
    var key: (rank: Int, value: JSONScanner.Value)?
    let isObject = JSONScanner.members(of: bytes) { name, value in
      if levelNames.contains(name) {
        level = self.level(value)
      } else if name == "status" {
        status = self.status(value)
      } else if timeNames.contains(name) {
        time = self.time(value)
      } else if let rank = keyNames.firstIndex(of: name), rank < key?.rank ?? .max {
        key = (rank, value)
      }
    }
    guard isObject else { return nil }
    let text = key.map { $0.value.text.isEmpty ? "-" : $0.value.text } ?? "(object)"
    return LogEntry(
      .json, level ?? status ?? .info, key: Array(text.utf8.prefix(LogEntry.keyLimit))[...],
      time: time)
  }

  private static func level(_ value: JSONScanner.Value) -> Category? {
    switch value {
    case .string(let name): named(name.lowercased())
    // The numbers that bunyan and pino write.
    case .number(let number):
      number >= 60
        ? .critical
        : number >= 50
          ? .error
          : number >= 40
            ? .warning
            : number >= 30 ? .info : .debug
    case .other: nil
    }
  }

  private static func named(_ name: String) -> Category? {
    switch name {
    case "trace", "debug", "verbose", "fine": .debug
    case "info", "information", "informational": .info
    case "notice": .notice
    case "warn", "warning": .warning
    case "err", "error": .error
    case "crit", "critical", "fatal", "panic", "alert", "emerg", "emergency": .critical
    default: nil
    }
  }

  private static func status(_ value: JSONScanner.Value) -> Category? {
    guard case .number(let number) = value else { return nil }
    return switch number {
    case 100..<200: .informational
    case 200..<300: .success
    case 300..<400: .redirect
    case 400..<500: .clientError
    case 500..<600: .serverError
    default: nil
    }
  }

  private static func time(_ value: JSONScanner.Value) -> Int? {
    switch value {
    case .string(let text):
      var scanner = FieldScanner(Array(text.utf8)[...])
      return LogTime.iso(&scanner, separator: text.contains("T") ? UInt8(ascii: "T") : 0x20)
    case .number(let number):
      // Milliseconds would be the year 5138 in seconds.
      let seconds = number > 1e11 ? number / 1000 : number
      return (0..<LogTime.end).contains(seconds) ? Int(seconds) : nil
    case .other: return nil
    }
  }
}
