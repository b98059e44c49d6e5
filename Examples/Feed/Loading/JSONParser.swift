/// Reads JSON (RFC 8259) into values that know their lines.
struct JSONParser {
  private let bytes: [UInt8]
  private var position = 0
  private var line = 1
  private var depth = 0

  private init(_ text: String) {
    bytes = Array(text.utf8)
  }

  static func parse(_ text: String) throws(FeedFileError) -> JSON {
    var parser = JSONParser(text)
    let value = try parser.value()
    parser.skipBlanks()
    guard parser.byte == nil else { throw parser.error("nothing may follow the value") }
    return value
  }

  private var byte: UInt8? { position < bytes.count ? bytes[position] : nil }

  private func error(_ reason: String) -> FeedFileError {
    FeedFileError(line: line, reason: reason)
  }

  private func unexpected(_ expected: String) -> FeedFileError {
    guard let byte else { return error("the file ends where \(expected) is expected") }
    let found = byte < 0x80 ? "\"\(Character(Unicode.Scalar(byte)))\"" : "another character"
    return error("\(expected) is expected, not \(found)")
  }

  private mutating func skipBlanks() {
    while let byte, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D {
      if byte == 0x0A { line += 1 }
      position += 1
    }
  }

  /// Steps over a byte if it comes next, after blanks.
  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    skipBlanks()
    guard let byte, byte == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  private mutating func value() throws(FeedFileError) -> JSON {
    skipBlanks()
    let start = line
    guard depth < 100 else { throw error("values are nested too deeply") }
    depth += 1
    defer { depth -= 1 }
    let value: JSON.Value
    switch byte {
    case UInt8(ascii: "{"): value = .object(try members())
    case UInt8(ascii: "["): value = .array(try elements())
    case UInt8(ascii: "\""): value = .string(try string())
    case UInt8(ascii: "t"): value = try word("true", .bool(true))
    case UInt8(ascii: "f"): value = try word("false", .bool(false))
    case UInt8(ascii: "n"): value = try word("null", .null)
    default: value = .number(try number())
    }
    return JSON(line: start, value: value)
  }

  private mutating func members() throws(FeedFileError) -> [String: JSON] {
    position += 1
    var members: [String: JSON] = [:]
    if take("}") { return members }
    repeat {
      skipBlanks()
      guard byte == UInt8(ascii: "\"") else { throw unexpected("a name in quotes") }
      let name = try string()
      guard take(":") else { throw unexpected("\":\" after \"\(name)\"") }
      guard members.updateValue(try value(), forKey: name) == nil else {
        throw error("\"\(name)\" is there twice")
      }
    } while take(",")
    guard take("}") else { throw unexpected("\",\" or \"}\"") }
    return members
  }

  private mutating func elements() throws(FeedFileError) -> [JSON] {
    position += 1
    var elements: [JSON] = []
    if take("]") { return elements }
    repeat { elements.append(try value()) } while take(",")
    guard take("]") else { throw unexpected("\",\" or \"]\"") }
    return elements
  }

  private mutating func word(
    _ text: String, _ value: JSON.Value
  ) throws(FeedFileError) -> JSON.Value {
    guard bytes[position...].starts(with: text.utf8) else { throw unexpected("a value") }
    position += text.utf8.count
    return value
  }

  private mutating func number() throws(FeedFileError) -> Double {
    let digits = bytes[position...].prefix { "+-.0123456789eE".utf8.contains($0) }
    guard let number = Double(String(decoding: digits, as: UTF8.self)) else {
      throw unexpected("a value")
    }
    position += digits.count
    return number
  }

  private mutating func string() throws(FeedFileError) -> String {
    position += 1
    var text: [UInt8] = []
    while let byte, byte != UInt8(ascii: "\"") {
      guard byte >= 0x20 else { throw error("a string is not closed on its line") }
      position += 1
      if byte == UInt8(ascii: "\\") {
        text.append(contentsOf: String(try escape()).utf8)
      } else {
        text.append(byte)
      }
    }
    guard byte != nil else { throw unexpected("the end of a string") }
    position += 1
    return String(decoding: text, as: UTF8.self)
  }

  private mutating func escape() throws(FeedFileError) -> Character {
    let letter = byte
    position += 1
    switch letter {
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"):
      return Character(Unicode.Scalar(letter ?? 0))
    case UInt8(ascii: "u"): return Character(try scalar())
    default: throw error("a string has an unknown escape")
    }
  }

  /// The scalar of one `\u` escape, or of two that make a surrogate pair.
  private mutating func scalar() throws(FeedFileError) -> Unicode.Scalar {
    var units = [try unit()]
    if UTF16.isLeadSurrogate(units[0]), bytes[position...].starts(with: "\\u".utf8) {
      position += 2
      units.append(try unit())
    }
    guard let text = String(validating: units, as: UTF16.self),
      let scalar = text.unicodeScalars.first
    else { throw error("a \\u escape is half of a character") }
    return scalar
  }

  private mutating func unit() throws(FeedFileError) -> UInt16 {
    let digits = String(decoding: bytes[position...].prefix(4), as: UTF8.self)
    guard digits.utf8.count == 4, let unit = UInt16(digits, radix: 16) else {
      throw error("a \\u escape needs four hexadecimal digits")
    }
    position += 4
    return unit
  }
}
