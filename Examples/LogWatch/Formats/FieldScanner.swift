/// Scans the fields of a line from its start.
struct FieldScanner {
  private(set) var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) {
    rest = bytes
  }

  /// Consumes a byte if it is the next one.
  mutating func skip(_ byte: UInt8) -> Bool {
    guard rest.first == byte else { return false }
    rest.removeFirst()
    return true
  }

  mutating func skipSpaces() {
    while rest.first == 0x20 { rest.removeFirst() }
  }

  /// Consumes spaces and the next word, and returns the word; `nil` at the end of the line.
  mutating func word() -> ArraySlice<UInt8>? {
    skipSpaces()
    guard !rest.isEmpty else { return nil }
    let end = rest.firstIndex { $0 == 0x20 || $0 == 0x09 } ?? rest.endIndex
    defer { rest = rest[end...] }
    return rest[..<end]
  }

  /// Consumes the text up to and including `byte`, and returns the text before `byte`; `nil` if the rest does not contain `byte`.
  mutating func take(through byte: UInt8) -> ArraySlice<UInt8>? {
    guard let end = rest.firstIndex(of: byte) else { return nil }
    defer { rest = rest[(end + 1)...] }
    return rest[..<end]
  }

  /// Consumes a quoted text, in which a backslash escapes the next byte, and returns the text without its quotes.
  mutating func quoted() -> ArraySlice<UInt8>? {
    guard rest.first == UInt8(ascii: "\"") else { return nil }
    let start = rest.startIndex + 1
    var index = start
    while index < rest.endIndex {
      switch rest[index] {
      case UInt8(ascii: "\""):
        defer { rest = rest[(index + 1)...] }
        return rest[start..<index]
      case UInt8(ascii: "\\"): index += 2
      default: index += 1
      }
    }
    return nil
  }

  /// Consumes exactly `digits` digits, or up to 15 if `digits` is `nil`.
  ///
  /// Returns `nil` if there are fewer digits, or none.
  mutating func number(digits: Int? = nil) -> Int? {
    var value = 0
    var count = 0
    while let byte = rest.first, (0x30...0x39).contains(byte), count < (digits ?? 15) {
      value = value * 10 + Int(byte - 0x30)
      count += 1
      rest.removeFirst()
    }
    return count == 0 || digits.map({ $0 != count }) == true ? nil : value
  }
}
