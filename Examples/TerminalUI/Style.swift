/// A color of the terminal's palette, which suits the user's theme.
package enum Color: UInt8, Hashable, Sendable {
  case black, red, green, yellow, blue, magenta, cyan, white
  case brightBlack, brightRed, brightGreen, brightYellow
  case brightBlue, brightMagenta, brightCyan, brightWhite
}

/// The appearance of a cell.
///
/// ```swift
/// frame.put("404", row: 0, column: 0, style: Style(.red, .bold))
/// ```
package struct Style: Hashable, Sendable {
  package struct Attributes: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }
    package static let bold = Attributes(rawValue: 1)
    package static let dim = Attributes(rawValue: 2)
    package static let underline = Attributes(rawValue: 4)
    package static let reverse = Attributes(rawValue: 8)
  }

  package var foreground: Color?
  package var background: Color?
  package var attributes: Attributes

  package init(
    _ foreground: Color? = nil, on background: Color? = nil, _ attributes: Attributes = []
  ) {
    self.foreground = foreground
    self.background = background
    self.attributes = attributes
  }

  package static let plain = Style()

  /// The escape sequence that sets exactly this style, regardless of the current style.
  package func sequence(colors: Bool) -> String {
    var codes = ["0"]
    if attributes.contains(.bold) { codes.append("1") }
    if attributes.contains(.dim) { codes.append("2") }
    if attributes.contains(.underline) { codes.append("4") }
    if attributes.contains(.reverse) { codes.append("7") }
    if colors {
      if let foreground { codes.append(String(foreground.code(base: 30))) }
      if let background { codes.append(String(background.code(base: 40))) }
    }
    return "\u{1B}[\(codes.joined(separator: ";"))m"
  }
}

extension Color {
  fileprivate func code(base: Int) -> Int {
    let value = Int(rawValue)
    return value < 8 ? base + value : base + 60 + value - 8
  }
}
