/// The access log of Apache and nginx in the common format, or in the combined format, which adds the referrer and the agent.
enum AccessLog {
  /// Parses `host ident user [time] "request" status size`, which is followed by `"referrer" "agent"` in the combined format, and
  /// by the response time if the server writes it.
  static func parse(_ bytes: ArraySlice<UInt8>) -> LogEntry? {
    var scanner = FieldScanner(bytes)
    guard let client = scanner.word(), scanner.take(through: UInt8(ascii: "[")) != nil,
      let written = scanner.take(through: UInt8(ascii: "]")), let time = LogTime.access(written),
      scanner.skip(0x20), let request = scanner.quoted(), scanner.skip(0x20),
      let status = scanner.number(digits: 3), let category = category(status),
      scanner.skip(0x20), let size = scanner.word(), isSize(size)
    else { return nil }
    var entry = LogEntry(.common, category, key: path(request), time: time)
    entry.client = LogEntry.text(client)
    entry.size = number(size)
    guard scanner.skip(0x20), let referrer = scanner.quoted() else { return entry }
    entry.format = .combined
    entry.referrer = text(referrer)
    guard scanner.skip(0x20), let agent = scanner.quoted() else { return entry }
    entry.agent = text(agent)
    if scanner.skip(0x20), let word = scanner.word() { entry.latency = latency(word) }
    return entry
  }

  /// Parses a response time, which nginx writes in seconds, as in `0.123`, and Apache in microseconds, as in `123`.
  static func latency(_ word: ArraySlice<UInt8>) -> Int? {
    let parts = word.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard let whole = parts.first.flatMap(number) else { return nil }
    if parts.count == 1 { return whole }
    guard parts.count == 2, let part = number(parts[1].prefix(6)), whole < 1_000_000 else {
      return nil
    }
    return whole * 1_000_000
      + (0..<6 - min(6, parts[1].count)).reduce(part) { value, _ in value * 10 }
  }

  /// Returns a referrer or an agent; `nil` if the field is empty or `-`.
  private static func text(_ bytes: ArraySlice<UInt8>) -> Text? {
    bytes.isEmpty || bytes.elementsEqual([UInt8(ascii: "-")]) ? nil : LogEntry.text(bytes)
  }

  /// Returns the value of a decimal number; `nil` if there are other characters or more than 15 digits.
  private static func number(_ bytes: ArraySlice<UInt8>) -> Int? {
    guard (1...15).contains(bytes.count) else { return nil }
    var value = 0
    for byte in bytes {
      guard (0x30...0x39).contains(byte) else { return nil }
      value = value * 10 + Int(byte - 0x30)
    }
    return value
  }

  static func category(_ status: Int) -> Category? {
    switch status / 100 {
    case 1: .informational
    case 2: .success
    case 3: .redirect
    case 4: .clientError
    case 5: .serverError
    default: nil
    }
  }

  private static func isSize(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.elementsEqual([UInt8(ascii: "-")]) || bytes.allSatisfy { (0x30...0x39).contains($0) }
  }

  /// Returns the path of a request without its query, or the whole text if it is not a request.
  private static func path(_ request: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var scanner = FieldScanner(request)
    guard scanner.word() != nil, let target = scanner.word() else { return request }
    return target.prefix { $0 != UInt8(ascii: "?") }
  }
}
