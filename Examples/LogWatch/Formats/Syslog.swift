/// System logs in the formats of RFC 3164 and RFC 5424, and with the ISO times of Debian 12's log files.
enum Syslog {
  /// Parses a line.
  ///
  /// Its level comes from `<priority>` or, if the line has no priority, from the message.
  static func parse(_ bytes: ArraySlice<UInt8>, year: Int) -> LogEntry? {
    var scanner = FieldScanner(bytes)
    var level: Category?
    var isStructured = false
    if scanner.skip(UInt8(ascii: "<")) {
      guard let priority = scanner.number(), priority < 192, scanner.skip(UInt8(ascii: ">"))
      else { return nil }
      level = self.level(priority % 8)
      isStructured = scanner.rest.starts(with: [UInt8(ascii: "1"), 0x20])
      if isStructured { _ = scanner.number() }
      scanner.skipSpaces()
    }
    guard let time = time(&scanner, year: year), scanner.skip(0x20), scanner.word() != nil,
      let tag = scanner.word()
    else { return nil }
    let program = isStructured ? tag : name(tag)
    guard let program else { return nil }
    return LogEntry(.syslog, level ?? Self.level(in: scanner.rest), key: program, time: time)
  }

  private static func time(_ scanner: inout FieldScanner, year: Int) -> Int? {
    if let first = scanner.rest.first, (0x30...0x39).contains(first) {
      return LogTime.iso(&scanner, separator: UInt8(ascii: "T"))
    }
    return LogTime.traditional(&scanner, year: year)
  }

  /// Returns the program of a tag such as `sshd[812]:`; `nil` if the tag does not end with a colon.
  private static func name(_ tag: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard tag.last == UInt8(ascii: ":") else { return nil }
    return tag.dropLast().prefix { $0 != UInt8(ascii: "[") }
  }

  static func level(_ severity: Int) -> Category {
    switch severity {
    case 0...2: .critical
    case 3: .error
    case 4: .warning
    case 5: .notice
    case 6: .info
    default: .debug
    }
  }

  private static let words: [(letters: [UInt8], level: Category)] = [
    (Array("panic".utf8), .critical), (Array("fatal".utf8), .critical),
    (Array("critical".utf8), .critical), (Array("error".utf8), .error),
    (Array("fail".utf8), .error), (Array("warn".utf8), .warning),
  ]

  /// Returns the level of a message without a priority, from the first name of a level within its first 200 bytes; `.info` if
  /// there is none.
  private static func level(in message: ArraySlice<UInt8>) -> Category {
    let text = message.prefix(200)
    for start in text.indices {
      switch text[start] | 0x20 {
      case UInt8(ascii: "p"), UInt8(ascii: "f"), UInt8(ascii: "c"), UInt8(ascii: "e"),
        UInt8(ascii: "w"):
        for (letters, level) in words where start + letters.count <= text.endIndex {
          if letters.indices.allSatisfy({ text[start + $0] | 0x20 == letters[$0] }) { return level }
        }
      default: break
      }
    }
    return .info
  }
}
