/// One JSON object a line, as most services log.
enum JSONLine {
  private static let levelNames: Set<String> = ["level", "severity", "lvl", "loglevel"]
  private static let timeNames: Set<String> = [
    "time", "timestamp", "ts", "@timestamp", "date", "__REALTIME_TIMESTAMP",
  ]
  /// What a line is about, the most telling name first.
  private static let keyNames = [
    "path", "url", "route", "logger", "service", "component", "module", "program",
    "SYSLOG_IDENTIFIER", "_COMM", "name", "event", "msg", "message", "MESSAGE",
  ]

  private static let clientNames: Set<String> = [
    "remote_addr", "client_ip", "client", "ip", "remote_ip", "remoteAddress",
  ]
  private static let agentNames: Set<String> = [
    "user_agent", "http_user_agent", "userAgent", "agent",
  ]
  private static let referrerNames: Set<String> = [
    "referrer", "referer", "http_referer", "http_referrer",
  ]
  private static let sizeNames: Set<String> = ["bytes", "size", "body_bytes_sent", "bytes_sent"]
  /// How many microseconds there are in one of the unit that a name speaks of.
  private static let latencyUnits = [
    "request_time": 1e6, "duration": 1e6, "latency": 1e6, "duration_s": 1e6, "duration_ms": 1e3,
    "latency_ms": 1e3, "elapsed_ms": 1e3, "took_ms": 1e3, "duration_us": 1, "latency_us": 1,
  ]

  static func parse(_ bytes: ArraySlice<UInt8>) -> LogEntry? {
    var level: Category?
    var status: Category?
    var time: Int?
    var (client, agent, referrer): (Text?, Text?, Text?)
    var (size, latency): (Int?, Int?)
    var key: (rank: Int, value: JSONScanner.Value)?
    let isObject = JSONScanner.members(of: bytes) { name, value in
      if levelNames.contains(name) {
        level = self.level(value)
      } else if name == "PRIORITY" {
        level = Int(value.text).flatMap { (0...7).contains($0) ? Syslog.level($0) : nil }
      } else if name == "status" {
        status = self.status(value)
      } else if timeNames.contains(name) {
        time = self.time(value)
      } else if clientNames.contains(name) {
        client = text(value)
      } else if agentNames.contains(name) {
        agent = text(value)
      } else if referrerNames.contains(name) {
        referrer = text(value)
      } else if sizeNames.contains(name) {
        size = number(value, times: 1)
      } else if let unit = latencyUnits[name] {
        latency = number(value, times: unit)
      } else if let rank = keyNames.firstIndex(of: name), rank < key?.rank ?? .max {
        key = (rank, value)
      }
    }
    guard isObject else { return nil }
    let name = key.map { $0.value.text.isEmpty ? "-" : $0.value.text } ?? "(object)"
    return LogEntry(
      format: .json, category: level ?? status ?? .info, key: .made(shortened(name)), time: time,
      client: client, agent: agent, referrer: referrer, size: size, latency: latency)
  }

  private static func shortened(_ text: String) -> String {
    text.utf8.count <= LogEntry.keyLimit
      ? text : String(decoding: text.utf8.prefix(LogEntry.keyLimit), as: UTF8.self)
  }

  private static func text(_ value: JSONScanner.Value) -> Text? {
    ["", "-"].contains(value.text) ? nil : .made(shortened(value.text))
  }

  /// Services write numbers as text, too.
  private static func number(_ value: JSONScanner.Value, times unit: Double) -> Int? {
    let number =
      switch value {
      case .number(let number): number
      case .string(let text): Double(text) ?? -1
      case .other: -1.0
      }
    return (0..<1e15).contains(number * unit) ? Int(number * unit) : nil
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
      // journald writes its microseconds as text.
      if let microseconds = Int(text), microseconds >= 0 { return microseconds / 1_000_000 }
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
