import TerminalUI

/// Where the node draws: the middle of a window, or one plain line a drawing where there is no window.
enum Screen: Sendable {
  case window(Terminal)
  case lines

  /// Shows texts, each with what it is, which a line leaves out.
  func show(_ texts: [(text: String, meaning: String, style: Style)]) {
    switch self {
    case .window(let terminal):
      var frame = Frame(size: terminal.size)
      frame.putCut(
        "QuickStart: two pipes reduce the ticks of two clocks into one node", row: 0, column: 1,
        style: Style(nil, .bold))
      let top = frame.size.rows / 2 - texts.count + 1
      for (row, item) in texts.enumerated() {
        let column = frame.size.columns / 2
        frame.put(item.meaning, row: top + 2 * row, endingAt: column - 1, style: Style(nil, .dim))
        frame.putCut(item.text, row: top + 2 * row, column: column + 1, style: item.style)
      }
      frame.putCut(
        "^Z suspend  q quit", row: frame.size.rows - 1, column: 1, style: Style(nil, .dim))
      terminal.draw(frame)
    case .lines:
      // Nobody reads any more where this fails, and the program ends by itself.
      try? Output.write(texts.map(\.text).joined(separator: "\t") + "\n")
    }
  }
}
