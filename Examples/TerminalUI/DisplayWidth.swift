/// Computes the number of terminal columns of a string: two for East Asian wide characters and emoji, zero for combining marks.
package enum DisplayWidth {
  /// Returns the number of columns of a grapheme cluster: 0, 1 or 2.
  ///
  /// A cluster is as wide as its base. The emoji selector, a keycap or a pair of flag letters makes it two columns wide. A lone
  /// mark, a joiner, a byte order mark and a control character take no column.
  package static func of(_ character: Character) -> Int {
    let scalars = character.unicodeScalars
    guard let base = scalars.first else { return 0 }
    if base.value < 0x7F {
      return base.value < 0x20 ? 0 : scalars.count == 1 ? 1 : cluster(scalars)
    }
    return cluster(scalars)
  }

  /// Returns the number of columns of a string.
  package static func of(_ text: some StringProtocol) -> Int {
    text.reduce(0) { $0 + of($1) }
  }

  /// Returns whether a string needs more than `columns` columns after `printable` has replaced its characters.
  package static func exceeds(_ columns: Int, _ text: some StringProtocol) -> Bool {
    var width = 0
    for character in text {
      width += printable(character)?.width ?? 0
      if width > columns { return true }
    }
    return false
  }

  /// Returns the character that shows `character` on a terminal, or `nil` if it takes no column.
  ///
  /// A tab becomes a space, and every other ASCII control character becomes its symbol, such as `␛`. An unassigned character, and
  /// a character that could move the cursor or change the direction of the line, become the replacement character, so that a log
  /// line cannot control the terminal.
  package static func printable(_ character: Character) -> (character: Character, width: Int)? {
    let scalars = character.unicodeScalars
    guard let first = scalars.first else { return nil }
    if scalars.count == 1, (0x20..<0x7F).contains(first.value) { return (character, 1) }
    if let picture = picture(of: first) { return (picture, 1) }
    if scalars.contains(where: isUnsafe) { return ("\u{FFFD}", 1) }
    let width = of(character)
    return width == 0 ? nil : (character, width)
  }

  private static func cluster(_ scalars: Character.UnicodeScalarView) -> Int {
    guard let base = scalars.first(where: { !isInvisible($0) }) else { return 0 }
    if isWide(base) { return 2 }
    if scalars.count > 1 {
      if isFlagLetter(base) { return scalars.dropFirst().contains(where: isFlagLetter) ? 2 : 1 }
      if scalars.contains(where: { $0 == "\u{FE0F}" || $0 == "\u{20E3}" }) { return 2 }
    }
    return 1
  }

  private static func isFlagLetter(_ scalar: Unicode.Scalar) -> Bool {
    (0x1F1E6...0x1F1FF).contains(scalar.value)
  }

  private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.value < 0x1100 { return false }
    if scalar.properties.isEmojiPresentation && !isFlagLetter(scalar) { return true }
    return wide.contains { $0.contains(scalar.value) }
  }

  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.value < 0x7F { return scalar.value < 0x20 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .control, .lineSeparator, .paragraphSeparator: return true
    case .format: return scalar != "\u{AD}" && !(0x600...0x6DD).contains(scalar.value)
    default: return (0x1160...0x11FF).contains(scalar.value)
    }
  }

  private static func picture(of scalar: Unicode.Scalar) -> Character? {
    switch scalar.value {
    case 0x09: " "
    case 0..<0x20: Unicode.Scalar(0x2400 + scalar.value).map(Character.init)
    case 0x7F: "\u{2421}"
    default: nil
    }
  }

  private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0, 0x2028...0x202E, 0x2066...0x2069, 0x200E...0x200F, 0x61C: true
    default: scalar.properties.generalCategory == .unassigned
    }
  }

  /// The East Asian wide and full-width blocks; wide emoji come from the standard library's tables.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x3247, 0x3250...0x4DBF,
    0x4E00...0xA4C6, 0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19,
    0xFE30...0xFE6B, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18D08, 0x1AFF0...0x1B2FB,
    0x1F200...0x1F265, 0x20000...0x3FFFD,
  ]
}
