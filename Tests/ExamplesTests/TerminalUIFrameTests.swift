import AsyncKnotTesting
import Testing

@testable import TerminalUI

@Suite("TerminalUI: frames")
struct TerminalUIFrameTests {
  private static let alphabet: [(text: String, width: Int)] = [
    ("a", 1), (" ", 1), ("é", 1), ("漢", 2), ("👍", 2), ("e\u{301}", 1),
  ]

  @Test("Text is truncated at its width and at the edges, and a wide character is never split")
  func clipping() {
    var frame = Frame(size: Size(columns: 6, rows: 2))
    #expect(frame.put("abcdefgh", row: 0, column: 3) == 6)
    #expect(frame.put("漢漢漢漢", row: 1, column: 1) == 5)
    #expect(frame.text(row: 0) == "   abc")
    #expect(frame.text(row: 1) == " 漢漢")
    frame.put("xyz", row: 0, column: 0, width: 2)
    #expect(frame.text(row: 0) == "xy abc")
    frame.put("out", row: 5, column: 0)
    frame.put("out", row: -1, column: 0)
    frame.put("out", row: 0, column: 60)
    frame.put("12345", row: 1, column: -2)
    #expect(frame.text(row: 1) == "345漢")
    frame.put("end", row: 0, endingAt: 6)
    #expect(frame.text(row: 0) == "xy end")
  }

  @Test("Writing over half of a wide character blanks the other half")
  func halves() {
    var frame = Frame(size: Size(columns: 4, rows: 1))
    frame.put("漢字", row: 0, column: 0)
    frame.put("x", row: 0, column: 1)
    #expect(frame.text(row: 0) == " x字")
    frame.put("y", row: 0, column: 2)
    #expect(frame.text(row: 0) == " xy")
  }

  @Test("An unchanged frame writes nothing, and a frame with one changed cell writes one cell")
  func minimal() {
    var writer = FrameWriter(colors: true)
    var frame = Frame(size: Size(columns: 80, rows: 24))
    frame.put("hello", row: 3, column: 4)
    _ = writer.update(to: frame)
    #expect(writer.update(to: frame).isEmpty)
    frame.put("a", row: 3, column: 5)
    #expect(writer.update(to: frame) == "\u{1B}[4;6Ha")
    writer.invalidate()
    #expect(writer.update(to: frame).contains("hallo"))
  }

  @Test(
    "The output makes a terminal show the frame, whatever the terminal showed before",
    arguments: 1...60)
  func replay(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var writer = FrameWriter(colors: true)
    var terminal = ModelTerminal()
    var size = Size(columns: 12, rows: 4)
    var frame = Frame(size: size)
    for _ in 0..<30 {
      if Int.random(in: 0..<8, using: &random) == 0 {
        size = Size(
          columns: .random(in: 0...14, using: &random), rows: .random(in: 0...5, using: &random))
        frame = Frame(size: size)
        terminal.resize(size)
      } else if Bool.random(using: &random) {
        frame = Frame(size: size)
      }
      for _ in 0..<Int.random(in: 0...5, using: &random) {
        let text = (0..<Int.random(in: 1...6, using: &random))
          .compactMap { _ in Self.alphabet.randomElement(using: &random)?.text }.joined()
        let style = [Style.plain, Style(.red), Style(nil, on: .blue, .bold)]
          .randomElement(using: &random)
        frame.put(
          text, row: .random(in: 0...4, using: &random),
          column: .random(in: -2...13, using: &random),
          style: style ?? .plain)
      }
      terminal.feed(writer.update(to: frame))
      for row in 0..<size.rows {
        let wanted = frame[row: row].filter { $0.width > 0 }
          .map { "\($0.style.sequence(colors: true))\($0.character)" }
        #expect(terminal.row(row) == wanted)
      }
    }
  }

  @Test("Styled text omits empty rows after the last visible row")
  func styledText() {
    var frame = Frame(size: Size(columns: 10, rows: 5))
    frame.put("ok", row: 0, column: 1, style: Style(.green))
    frame.put("plain", row: 2, column: 0)
    #expect(frame.styledText(colors: true) == " \u{1B}[0;32mok\u{1B}[0m\n\nplain\n")
    #expect(Frame(size: Size(columns: 10, rows: 5)).styledText(colors: true).isEmpty)
  }
}

/// The screen of a terminal, which interprets escape sequences and shares no code with the library.
private struct ModelTerminal {
  private var cells: [[String]] = []
  private var size = Size(columns: 12, rows: 4)
  private var style = "\u{1B}[0m"
  private var position = (row: 0, column: 0)
  private static let wide: Set<Character> = ["漢", "👍"]

  mutating func resize(_ size: Size) {
    self.size = size
  }

  /// Returns the characters of a row with their styles, without the second cells of wide characters.
  func row(_ row: Int) -> [String] {
    cells[row].filter { !$0.isEmpty }
  }

  mutating func feed(_ text: String) {
    var rest = text[...]
    while let character = rest.popFirst() {
      guard character == "\u{1B}" else {
        put(character)
        continue
      }
      let sequence = rest.prefix { !$0.isLetter }
      rest = rest.dropFirst(sequence.count)
      control(String(sequence.dropFirst()), rest.popFirst() ?? "?")
    }
  }

  private mutating func control(_ parameters: String, _ command: Character) {
    let blank = "\u{1B}[0m "
    switch command {
    case "m": style = "\u{1B}[\(parameters)m"
    case "H":
      let numbers = parameters.split(separator: ";").compactMap { Int($0) }
      position = (numbers[0] - 1, numbers[1] - 1)
    case "J":
      cells = Array(repeating: Array(repeating: blank, count: size.columns), count: size.rows)
    case "K":
      for column in position.column..<size.columns { clear(column) }
    default: Issue.record("unknown command \(command)")
    }
  }

  private mutating func clear(_ column: Int) {
    let blank = "\u{1B}[0m "
    if cells[position.row][column].isEmpty { cells[position.row][column - 1] = blank }
    if column + 1 < size.columns, cells[position.row][column + 1].isEmpty {
      cells[position.row][column + 1] = blank
    }
    cells[position.row][column] = blank
  }

  private mutating func put(_ character: Character) {
    let width = Self.wide.contains(character) ? 2 : 1
    for column in position.column..<position.column + width { clear(column) }
    cells[position.row][position.column] = style + String(character)
    if width == 2 { cells[position.row][position.column + 1] = "" }
    position.column += width
  }
}
