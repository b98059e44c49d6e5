/// Decodes the bytes of a terminal, which may arrive in parts, into keys.
package struct KeyDecoder: Sendable {
  private var pending: [UInt8] = []

  package init() {}

  /// Whether bytes wait for the rest of a sequence.
  ///
  /// For example, an Escape may be the key itself or the start of an arrow key.
  package var isWaiting: Bool { !pending.isEmpty }

  /// Returns the keys that `bytes` complete.
  package mutating func decode(_ bytes: some Sequence<UInt8>) -> [Key] {
    pending.append(contentsOf: bytes)
    var keys: [Key] = []
    var rest = pending[...]
    while let (length, key) = Self.first(in: rest) {
      if let key { keys.append(key) }
      rest = rest.dropFirst(length)
    }
    pending = Array(rest)
    return keys
  }

  /// Returns the keys of the waiting bytes.
  ///
  /// Call this if no more bytes arrive, so that a lone Escape becomes the Escape key.
  package mutating func flush() -> [Key] {
    guard let first = pending.first else { return [] }
    let rest = pending.dropFirst()
    pending = []
    return [first == 0x1B ? .escape : .character("\u{FFFD}")] + decode(rest) + flush()
  }

  /// Returns the first key and its number of bytes; `nil` if bytes are missing.
  ///
  /// The key is `nil` for an unknown sequence.
  private static func first(in bytes: ArraySlice<UInt8>) -> (length: Int, key: Key?)? {
    guard let byte = bytes.first else { return nil }
    switch byte {
    case 0x0D, 0x0A: return (1, .enter)
    case 0x09: return (1, .tab)
    case 0x08, 0x7F: return (1, .backspace)
    case 0x1B: return escape(bytes.dropFirst())
    case 0x01...0x1A: return (1, .control(Character(Unicode.Scalar(byte + 0x60))))
    case 0..<0x20: return (1, nil)
    default: return character(bytes)
    }
  }

  private static func escape(_ bytes: ArraySlice<UInt8>) -> (length: Int, key: Key?)? {
    switch bytes.first {
    case nil: return nil
    case UInt8(ascii: "["): return control(bytes.dropFirst())
    case UInt8(ascii: "O"):
      return bytes.dropFirst().first.map { (3, letters[$0]) }
    case 0x1B: return (1, .escape)
    default:
      guard let (length, key) = first(in: bytes) else { return nil }
      guard case .character(let character) = key else { return (1, .escape) }
      return (length + 1, .alt(character))
    }
  }

  /// Decodes a control sequence, which consists of parameters and a letter or `~`.
  private static func control(_ bytes: ArraySlice<UInt8>) -> (length: Int, key: Key?)? {
    guard let end = bytes.firstIndex(where: { (0x40...0x7E).contains($0) || $0 < 0x20 }) else {
      return bytes.count < 32 ? nil : (bytes.count + 2, nil)
    }
    let length = 3 + end - bytes.startIndex
    let parameter = bytes[..<end].prefix { $0 != UInt8(ascii: ";") }
    if bytes[end] == UInt8(ascii: "~") {
      return (length, numbers[String(decoding: parameter, as: UTF8.self)])
    }
    // The second parameter minus one is a set of modifiers: 1 is Shift.
    let isShifted = bytes[..<end].elementsEqual("1;2".utf8)
    return (length, (isShifted ? shifted[bytes[end]] : nil) ?? letters[bytes[end]])
  }

  private static func character(_ bytes: ArraySlice<UInt8>) -> (length: Int, key: Key?)? {
    let length = bytes.first.map { $0 < 0x80 ? 1 : $0 < 0xE0 ? 2 : $0 < 0xF0 ? 3 : 4 } ?? 1
    let sequence = bytes.prefix(length)
    let isCut = sequence.dropFirst().contains { $0 & 0xC0 != 0x80 }
    if sequence.count < length && !isCut { return nil }
    guard let text = String(validating: sequence, as: UTF8.self), let character = text.first
    else { return (1, .character("\u{FFFD}")) }
    return (length, .character(character))
  }

  private static let letters: [UInt8: Key] = [
    UInt8(ascii: "A"): .up, UInt8(ascii: "B"): .down, UInt8(ascii: "C"): .right,
    UInt8(ascii: "D"): .left, UInt8(ascii: "H"): .home, UInt8(ascii: "F"): .end,
    UInt8(ascii: "M"): .enter,
  ]
  private static let shifted: [UInt8: Key] = [
    UInt8(ascii: "A"): .shiftUp, UInt8(ascii: "B"): .shiftDown,
  ]
  private static let numbers: [String: Key] = [
    "1": .home, "7": .home, "4": .end, "8": .end, "3": .delete, "5": .pageUp, "6": .pageDown,
  ]
}
