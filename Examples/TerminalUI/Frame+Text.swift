extension Frame {
  /// The frame as lines of styled text, for a screen that scrolls; blank rows at the end are left out.
  package func styledText(colors: Bool) -> String {
    contentRows.map { styledLine(row: $0, colors: colors) + "\n" }.joined()
  }

  /// The frame as lines of bare text, for a file or a pipe; blank rows at the end are left out.
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
