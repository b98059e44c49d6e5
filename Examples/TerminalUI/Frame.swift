/// One character cell of a frame.
package struct Cell: Hashable, Sendable {
  package var character: Character
  package var style: Style
  /// The number of columns: 1, or 2 for the first half of a wide character and 0 for its second half.
  package var width: Int

  package static let blank = Cell(character: " ", style: .plain, width: 1)
}

/// The image of a whole window, which you draw before the terminal shows it.
///
/// A frame is a value. Draw a new one for each state, and pass it to `Terminal.draw(_:)`, which
/// writes only the differences from the previous frame.
///
/// ```swift
/// var frame = Frame(size: terminal.size)
/// frame.put("Ready", row: 0, column: 2, style: Style(.green))
/// terminal.draw(frame)
/// ```
package struct Frame: Hashable, Sendable {
  package let size: Size
  private var cells: [Cell]

  package init(size: Size) {
    self.size = size
    cells = Array(repeating: .blank, count: size.columns * size.rows)
  }

  package subscript(row: Int, column: Int) -> Cell {
    cells[row * size.columns + column]
  }

  /// The cells of one row.
  package subscript(row row: Int) -> ArraySlice<Cell> {
    cells[row * size.columns..<(row + 1) * size.columns]
  }

  /// Writes text into one row, and clips it at `width` columns and at the edges.
  ///
  /// Text never wraps.
  ///
  /// - Returns: The column after the last written column.
  @discardableResult
  package mutating func put(
    _ text: some StringProtocol, row: Int, column: Int, width: Int = .max, style: Style = .plain
  ) -> Int {
    guard (0..<size.rows).contains(row), width > 0 else { return column }
    let end = width < size.columns - column ? column + width : size.columns
    var column = column
    for character in text {
      guard let shown = DisplayWidth.printable(character) else { continue }
      guard column + shown.width <= end else { break }
      if column >= 0 {
        set(Cell(character: shown.character, style: style, width: shown.width), row, column)
      }
      column += shown.width
    }
    return column
  }

  /// Writes text like `put(_:row:column:width:style:)`, with an ellipsis if it is clipped.
  ///
  /// - Returns: The column after the last written column.
  @discardableResult
  package mutating func putCut(
    _ text: some StringProtocol, row: Int, column: Int, width: Int = .max, style: Style = .plain
  ) -> Int {
    let room = min(width, size.columns - column)
    guard room > 0, DisplayWidth.exceeds(room, text) else {
      return put(text, row: row, column: column, width: width, style: style)
    }
    let end = put(text, row: row, column: column, width: room - 1, style: style)
    return put("…", row: row, column: end, style: style)
  }

  /// Writes text so that it ends before `column`.
  package mutating func put(
    _ text: some StringProtocol, row: Int, endingAt column: Int, style: Style = .plain
  ) {
    put(text, row: row, column: column - DisplayWidth.of(text), style: style)
  }

  /// Writes words from left to right, and stops before the first word that does not fit.
  ///
  /// Pass the most important words first.
  package mutating func put(
    words: [String], row: Int, column: Int, style: Style = .plain
  ) {
    var start = column
    for word in words {
      guard start + DisplayWidth.of(word) <= size.columns else { return }
      start = put(word, row: row, column: start, style: style) + 2
    }
  }

  /// Returns the text of one row, without styles and trailing spaces.
  package func text(row: Int) -> String {
    var line = String(self[row: row].lazy.filter { $0.width > 0 }.map(\.character))
    while line.last == " " { line.removeLast() }
    return line
  }

  /// The same image in ASCII.
  ///
  /// A wide character keeps its two columns.
  var ascii: Frame {
    var frame = self
    for index in cells.indices where !cells[index].character.isASCII || cells[index].width != 1 {
      frame.cells[index].character = Charset.ascii(cells[index].character)
      frame.cells[index].width = 1
    }
    return frame
  }

  private mutating func set(_ cell: Cell, _ row: Int, _ column: Int) {
    let start = row * size.columns
    for offset in column..<column + cell.width { detach(start + offset, rowStart: start) }
    cells[start + column] = cell
    if cell.width == 2 {
      cells[start + column + 1] = Cell(character: " ", style: cell.style, width: 0)
    }
  }

  /// Blanks the other half of a wide character before `index` is overwritten.
  private mutating func detach(_ index: Int, rowStart: Int) {
    switch cells[index].width {
    case 0 where index > rowStart: cells[index - 1] = .blank
    case 2: cells[index + 1] = .blank
    default: break
    }
  }
}
