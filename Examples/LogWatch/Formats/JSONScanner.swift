/// Reads the members of one JSON object without building a tree.
///
/// Nested values are skipped by their brackets, with a depth instead of recursion: a line of a million
/// brackets costs a loop, not the stack.
struct JSONScanner {
  /// A value of a member; what is neither text nor a number has no part in counting.
  enum Value: Hashable {
    case string(String)
    case number(Double)
    case other

    var text: String {
      switch self {
      case .string(let text): text
      case .number(let number): Int(exactly: number).map(String.init) ?? String(number)
      case .other: ""
      }
    }
  }

  private var scanner: FieldScanner

  /// Calls `body` for each member.
  ///
  /// - Returns: Whether the bytes are one object, with nothing after it.
  static func members(of bytes: ArraySlice<UInt8>, _ body: (String, Value) -> Void) -> Bool {
    var parser = JSONScanner(scanner: FieldScanner(bytes))
    return parser.object(body) && parser.isAtEnd
  }

  private var isAtEnd: Bool {
    mutating get {
      skipBlanks()
      return scanner.rest.isEmpty
    }
  }

  private mutating func object(_ body: (String, Value) -> Void) -> Bool {
    skipBlanks()
    guard scanner.skip(UInt8(ascii: "{")) else { return false }
    skipBlanks()
    if scanner.skip(UInt8(ascii: "}")) { return true }
    repeat {
      skipBlanks()
      guard let name = scanner.quoted() else { return false }
      skipBlanks()
      guard scanner.skip(UInt8(ascii: ":")), let value = value() else { return false }
      body(Self.unescaped(name), value)
      skipBlanks()
    } while scanner.skip(UInt8(ascii: ","))
    return scanner.skip(UInt8(ascii: "}"))
  }

  private mutating func value() -> Value? {
    skipBlanks()
    switch scanner.rest.first {
    case UInt8(ascii: "\""): return scanner.quoted().map { .string(Self.unescaped($0)) }
    case UInt8(ascii: "{"), UInt8(ascii: "["): return skipNested() ? .other : nil
    default:
      let word = scanner.rest.prefix { byte in
        byte == 0x2B || byte == 0x2D || byte == 0x2E || (0x30...0x39).contains(byte)
          || (0x61...0x7A).contains(byte | 0x20)
      }
      for byte in word { _ = scanner.skip(byte) }
      let text = String(decoding: word, as: UTF8.self)
      if ["true", "false", "null"].contains(text) { return .other }
      guard let first = word.first, first == 0x2D || (0x30...0x39).contains(first) else {
        return nil
      }
      return Double(text).map { .number($0) }
    }
  }

  private mutating func skipNested() -> Bool {
    var depth = 0
    repeat {
      switch scanner.rest.first {
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: "\""):
        guard scanner.quoted() != nil else { return false }
        continue
      case nil: return false
      default: break
      }
      _ = scanner.rest.first.map { scanner.skip($0) }
    } while depth > 0
    return true
  }

  private mutating func skipBlanks() {
    while let byte = scanner.rest.first, byte == 0x20 || byte == 0x09 || byte == 0x0D {
      _ = scanner.skip(byte)
    }
  }

  /// Text with its escapes resolved; half of a surrogate pair becomes the replacement character.
  private static func unescaped(_ bytes: ArraySlice<UInt8>) -> String {
    guard bytes.contains(UInt8(ascii: "\\")) else { return String(decoding: bytes, as: UTF8.self) }
    var units: [UInt16] = []
    var rest = String(decoding: bytes, as: UTF8.self).utf16[...]
    while let unit = rest.popFirst() {
      guard unit == 0x5C, let escape = rest.popFirst() else {
        units.append(unit)
        continue
      }
      switch UInt8(truncatingIfNeeded: escape) {
      case UInt8(ascii: "n"): units.append(0x0A)
      case UInt8(ascii: "t"): units.append(0x09)
      case UInt8(ascii: "r"): units.append(0x0D)
      case UInt8(ascii: "b"): units.append(0x08)
      case UInt8(ascii: "f"): units.append(0x0C)
      case UInt8(ascii: "u"):
        units.append(UInt16(String(rest.prefix(4)) ?? "", radix: 16) ?? 0xFFFD)
        rest = rest.dropFirst(4)
      default: units.append(escape)
      }
    }
    return String(decoding: units, as: UTF16.self)
  }
}
