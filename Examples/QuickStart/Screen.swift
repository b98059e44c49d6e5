import TerminalUI

/// Where the node draws: the middle of a window, or one plain line a drawing where there is no window.
enum Screen: Sendable {
  case window(Terminal)
  case lines

  func show(_ texts: [(text: String, style: Style)]) {
    switch self {
    case .window(let terminal):
      var frame = Frame(size: terminal.size)
      let top = frame.size.rows / 2 - texts.count + 1
      for (row, item) in texts.enumerated() {
        let column = (frame.size.columns - DisplayWidth.of(item.text)) / 2
        frame.put(item.text, row: top + 2 * row, column: column, style: item.style)
      }
      terminal.draw(frame)
    case .lines:
      // Nobody reads any more where this fails, and the program ends by itself.
      try? Output.write(texts.map(\.text).joined(separator: "\t") + "\n")
    }
  }
}
