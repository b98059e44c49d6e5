#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The characters that a terminal can show, according to the user's locale.
package enum Charset {
  /// Whether the terminal shows characters beyond ASCII.
  package static var isUnicode: Bool {
    let variables: [String] = ["LC_ALL", "LC_CTYPE", "LANG"]
    let names = variables.compactMap { name in getenv(name).map { String(cString: $0) } }
    return isUnicode(locale: names.first { !$0.isEmpty })
  }

  /// Whether a locale names UTF-8.
  ///
  /// Without a locale, as in most containers, the terminal is assumed to show Unicode.
  static func isUnicode(locale: String?) -> Bool {
    guard let locale = locale?.lowercased() else { return true }
    return locale.contains("utf-8") || locale.contains("utf8")
  }

  /// The ASCII replacement for a character.
  static func ascii(_ character: Character) -> Character {
    if character.isASCII { return character }
    return substitutes[character] ?? "?"
  }

  private static let substitutes: [Character: Character] = [
    "▁": ".", "▂": ".", "▃": ":", "▄": ":", "▅": ":", "▆": "#", "▇": "#", "█": "#",
    "▏": "|", "▎": "|", "▍": "|", "▌": "|", "▋": "#", "▊": "#", "▉": "#",
    "↑": "^", "↓": "v", "←": "<", "→": ">", "▲": "^", "▼": "v", "▸": ">", "▾": "v",
    "…": "~", "–": "-", "·": ".", "µ": "u", "×": "x", "“": "\"", "”": "\"", "’": "'",
  ]
}

extension Frame {
  /// The frame with only the characters that the terminal can show.
  package var portable: Frame { Charset.isUnicode ? self : ascii }
}
