extension Frame {
  /// Returns the frame as lines of styled text for a scrolling terminal, without blank rows at the end.
  package func styledText(colors: Bool) -> String {
    contentRows.map { styledLine(row: $0, colors: colors) + "\n" }.joined()
  }

  /// The frame as lines of plain text for a file or a pipe, without blank rows at the end.
  package var plainText: String {
    contentRows.map { text(row: $0) + "\n" }.joined()
  }

  private var contentRows: Range<Int> {
    0..<(0..<size.rows).reversed().drop { text(row: $0).isEmpty }.count
  }

  private func styledLine(row: Int, colors: Bool) -> String {
    var line = ""
    var style = Style.plain
    let cells = self[row: row]
    for cell in cells.dropLast(cells.reversed().prefix { $0 == .blank }.count) where cell.width > 0
    {
      if cell.style != style { line += cell.style.sequence(colors: colors) }
      style = cell.style
      line.append(cell.character)
    }
    return style == .plain ? line : line + Style.plain.sequence(colors: colors)
  }
}
