/// Converts frames to the bytes that change a terminal from one frame to the next.
///
/// The writer knows which frame the terminal shows, so it writes nothing for unchanged cells. The width of a wide character or of
/// a cluster of scalars can differ between terminals. The writer repositions the cursor after such a character, so an emoji does
/// not shift the rest of its row.
package struct FrameWriter: Sendable {
  package var colors: Bool
  private var shown: Frame?
  private var style = Style.plain
  private var cursor: (row: Int, column: Int)?
  private var output = ""

  package init(colors: Bool) {
    self.colors = colors
  }

  /// Returns the bytes that make the terminal show `frame`; empty if the terminal already shows it.
  package mutating func update(to frame: Frame) -> String {
    output = ""
    cursor = nil
    if shown?.size != frame.size {
      output = "\u{1B}[0m\u{1B}[2J"
      style = .plain
      shown = Frame(size: frame.size)
    }
    let old = shown ?? Frame(size: frame.size)
    for row in 0..<frame.size.rows where old[row: row] != frame[row: row] {
      write(row: row, of: frame, over: old)
    }
    shown = frame
    return output
  }

  /// Forgets the shown frame, so that the next update draws everything.
  package mutating func invalidate() {
    shown = nil
  }

  /// Returns the bytes that redraw the last frame on a terminal that shows something else.
  package mutating func redraw() -> String {
    guard let frame = shown else { return "" }
    invalidate()
    return update(to: frame)
  }

  private mutating func write(row: Int, of frame: Frame, over old: Frame) {
    let cells = frame[row: row]
    let content = cells.reversed().drop { $0 == .blank }.count
    for column in 0..<content {
      let cell = frame[row, column]
      guard cell.width > 0, cell != old[row, column] else { continue }
      move(to: row, column)
      set(cell.style)
      output.append(cell.character)
      let isPlain = cell.width == 1 && cell.character.unicodeScalars.count == 1
      cursor = isPlain ? (row, column + 1) : nil
    }
    if old[row: row].dropFirst(content).contains(where: { $0 != .blank }) {
      move(to: row, content)
      set(.plain)
      output += "\u{1B}[K"
    }
  }

  private mutating func move(to row: Int, _ column: Int) {
    if let cursor, cursor == (row, column) { return }
    output += "\u{1B}[\(row + 1);\(column + 1)H"
  }

  private mutating func set(_ wanted: Style) {
    guard wanted != style else { return }
    style = wanted
    output += wanted.sequence(colors: colors)
  }
}
