#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Decides from the user's locale which characters a terminal can show.
package enum Charset {
  /// Whether the terminal can show characters beyond ASCII.
  package static var isUnicode: Bool {
    let variables: [String] = ["LC_ALL", "LC_CTYPE", "LANG"]
    let names = variables.compactMap { name in getenv(name).map { String(cString: $0) } }
    return isUnicode(locale: names.first { !$0.isEmpty })
  }

  /// Returns whether a locale uses UTF-8.
  ///
  /// If there is no locale, as in most containers, the result is `true`.
  static func isUnicode(locale: String?) -> Bool {
    guard let locale = locale?.lowercased() else { return true }
    return locale.contains("utf-8") || locale.contains("utf8")
  }

  /// Returns the ASCII replacement for a character.
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
  /// The frame, in which characters that the terminal cannot show are replaced.
  package var portable: Frame { Charset.isUnicode ? self : ascii }
}
