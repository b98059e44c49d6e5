import Testing

@testable import TerminalUI

@Suite("TerminalUI: the words of a command line")
struct TerminalUIWordsTests {
  @Test("Options begin with a dash, a lone dash is an operand, and two dashes end the options")
  func words() throws {
    var words = CommandLineWords(["a", "--top", "3", "-", "-x", "--", "-y", "--"])
    #expect(words.next() == .operand("a"))
    #expect(words.next() == .option("--top"))
    #expect(try words.value(of: "--top", "a number") { Int($0) } == 3)
    #expect(words.next() == .operand("-"))
    #expect(words.next() == .option("-x"))
    #expect(words.next() == .operand("-y"))
    #expect(words.next() == .operand("--"))
    #expect(words.next() == nil)
  }

  @Test("If the value of an option is missing or wrong, the error says what the option needs")
  func values() {
    var words = CommandLineWords(["ten"])
    #expect(throws: CommandLineWords.Misuse(message: "--top: needs a number; got ten")) {
      try words.value(of: "--top", "a number") { Int($0) }
    }
    #expect(throws: CommandLineWords.Misuse(message: "--top: needs a number; got nothing")) {
      try words.value(of: "--top", "a number") { Int($0) }
    }
  }

  @Test("A call of redraw() writes the complete current frame, or nothing before the first frame")
  func redraw() {
    var writer = FrameWriter(colors: true)
    #expect(writer.redraw() == "")
    var frame = Frame(size: Size(columns: 8, rows: 2))
    frame.put("text", row: 1, column: 2)
    let first = writer.update(to: frame)
    #expect(writer.update(to: frame) == "")
    #expect(writer.redraw() == first)
  }
}
