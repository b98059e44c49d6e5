import TerminalUI

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Shows how the test kit finds a bug in a shop of twenty lines, and how the bug happens.
@main
struct QuickStart {
  static let usage = """
    usage: QuickStart

      -h, --help   show this text

    Two people buy the last ticket of a shop. The test kit finds and draws an interleaving in which both get
    the ticket. In the fixed code, it finds none. A test that calls `explore` prints the same lanes.
    Keys: ^Z suspends, q quits. Without a terminal, the program prints everything immediately.

    """

  static func main() async throws {
    Output.reportBrokenPipes()
    var words = CommandLineWords(CommandLine.arguments.dropFirst())
    do throws(CommandLineWords.Misuse) {
      while let word = words.next() {
        switch word {
        case .option("--help"), .option("-h"): return show(usage)
        case .option(let name): throw CommandLineWords.unknown(name)
        case .operand(let word):
          throw CommandLineWords.Misuse(message: "\(word): unexpected argument")
        }
      }
    } catch {
      try? Output.write("QuickStart: \(error.message)\n\(usage)", to: STDERR_FILENO)
      exit(EX_USAGE)
    }
    let story = await Story.told()
    guard Terminal.isTerminal(), !Terminal.isDumb else {
      return show(story.lines.map { $0.text + "\n" }.joined())
    }
    try await Terminal.run { terminal in await tell(story, on: terminal) }
  }

  private static func show(_ text: String) {
    // Ignore an error, because it usually means that the reader has closed the output.
    try? Output.write(text)
  }

  /// Shows the lines one after another, until the user quits.
  private static func tell(_ story: Story, on terminal: Terminal) async {
    await withTaskGroup(of: Bool.self) { group in
      group.addTask {
        for count in 1...story.lines.count {
          draw(story.lines.prefix(count), on: terminal)
          // The user needs time to read each step of the schedule.
          let isLane = if case .lane = story.lines[count - 1] { true } else { false }
          try? await Task.sleep(for: .milliseconds(isLane ? 700 : 60))
        }
        return false
      }
      group.addTask {
        for await key in terminal.keys {
          switch key {
          case .character("q"), .escape, .control("c"): return true
          case .control("z"): terminal.suspend()
          default: break
          }
        }
        return true
      }
      while let isOver = await group.next(), !isOver {}
      group.cancelAll()
    }
  }

  private static func draw(_ lines: ArraySlice<Story.Line>, on terminal: Terminal) {
    var frame = Frame(size: terminal.size)
    // If the window has too few rows, it shows the last lines.
    for (row, line) in lines.suffix(frame.size.rows - 2).enumerated() {
      let style: Style =
        switch line {
        case .words: Style(nil, .bold)
        case .code: Style(.brightWhite)
        case .lane: Style(.cyan)
        }
      frame.putCut(line.text, row: row, column: 1, style: style)
    }
    frame.putCut("^Z suspend  q quit", row: frame.size.rows - 1, column: 1, style: Style(nil, .dim))
    terminal.draw(frame)
  }
}
