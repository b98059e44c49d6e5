#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// What a terminal can show of Unicode, as the user's locale says.
package enum Charset {
  /// Whether characters beyond ASCII arrive as they are.
  package static var isUnicode: Bool {
    let variables: [String] = ["LC_ALL", "LC_CTYPE", "LANG"]
    let names = variables.compactMap { name in getenv(name).map { String(cString: $0) } }
    return isUnicode(locale: names.first { !$0.isEmpty })
  }

  /// A locale that names another character set, or none, is taken at its word.
  ///
  /// Where no locale
  /// is set at all, as in most containers, the terminal outside is one of today.
  static func isUnicode(locale: String?) -> Bool {
    guard let locale = locale?.lowercased() else { return true }
    return locale.contains("utf-8") || locale.contains("utf8")
  }

  /// What stands for a character where only ASCII can be shown.
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
  /// The frame as this user's terminal can show it.
  package var portable: Frame { Charset.isUnicode ? self : ascii }
}
