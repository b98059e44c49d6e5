/// The error log of nginx.
enum NginxError {
  private static let levels: KeyValuePairs<String, Category> = [
    "debug": .debug, "info": .info, "notice": .notice, "warn": .warning, "error": .error,
    "crit": .critical, "alert": .critical, "emerg": .critical,
  ]

  /// Whether a line may begin with `2024/06/13`.
  static func isDate(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.count > 10 && bytes[bytes.startIndex + 4] == UInt8(ascii: "/")
      && bytes[bytes.startIndex + 7] == UInt8(ascii: "/")
  }

  /// `2024/06/13 10:11:12 [error] 812#812: *7 message, client: 192.0.2.1, …`.
  ///
  /// The key is the message up to its first comma or quotation mark; what follows differs each time.
  static func parse(_ bytes: ArraySlice<UInt8>) -> LogEntry? {
    var scanner = FieldScanner(bytes)
    guard let year = scanner.number(digits: 4), scanner.skip(UInt8(ascii: "/")),
      let month = scanner.number(digits: 2), scanner.skip(UInt8(ascii: "/")),
      let day = scanner.number(digits: 2), scanner.skip(0x20),
      let time = LogTime.instant(&scanner, year, month, day), scanner.skip(0x20),
      scanner.skip(UInt8(ascii: "[")), let name = scanner.take(through: UInt8(ascii: "]")),
      let level = levels.first(where: { name.elementsEqual($0.key.utf8) }),
      scanner.skip(0x20), scanner.take(through: UInt8(ascii: ":")) != nil
    else { return nil }
    scanner.skipSpaces()
    if scanner.rest.first == UInt8(ascii: "*") {
      _ = scanner.word()
      scanner.skipSpaces()
    }
    let message = scanner.rest.prefix { $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: "\"") }
    var end = message.endIndex
    while end > message.startIndex, message[end - 1] == 0x20 { end -= 1 }
    var entry = LogEntry(.nginx, level.value, key: message[..<end], time: time)
    entry.client = client(scanner.rest)
    return entry
  }

  private static func client(_ rest: ArraySlice<UInt8>) -> Text? {
    let name = Array("client: ".utf8)
    var start = rest.startIndex
    while let comma = rest[start...].firstIndex(of: UInt8(ascii: ",")) {
      start = comma + 1
      let field = rest[start...].drop { $0 == 0x20 }
      if field.starts(with: name) {
        return LogEntry.text(field.dropFirst(name.count).prefix { $0 != UInt8(ascii: ",") })
      }
    }
    return nil
  }
}
