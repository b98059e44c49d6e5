/// The access log of Apache and nginx: the common format, and the combined one with referrer and agent.
enum AccessLog {
  /// `host ident user [time] "request" status size`, then `"referrer" "agent"` in the combined format.
  static func parse(_ bytes: ArraySlice<UInt8>) -> LogEntry? {
    var scanner = FieldScanner(bytes)
    guard scanner.word() != nil, scanner.take(through: UInt8(ascii: "[")) != nil,
      let written = scanner.take(through: UInt8(ascii: "]")), let time = LogTime.access(written),
      scanner.skip(0x20), let request = scanner.quoted(), scanner.skip(0x20),
      let status = scanner.number(digits: 3), let category = category(status),
      scanner.skip(0x20), let size = scanner.word(), isSize(size)
    else { return nil }
    let isCombined = scanner.skip(0x20) && scanner.quoted() != nil
    return LogEntry(isCombined ? .combined : .common, category, key: path(request), time: time)
  }

  private static func category(_ status: Int) -> Category? {
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

  /// The path without its query; a request that is none stands for itself.
  private static func path(_ request: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var scanner = FieldScanner(request)
    guard scanner.word() != nil, let target = scanner.word() else { return request }
    return target.prefix { $0 != UInt8(ascii: "?") }
  }
}
