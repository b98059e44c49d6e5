import AsyncDiff
import AsyncKnot
import TerminalUI

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A list of a million rows, which you can scroll, sort and filter while a thousand rows change each second.
@main
struct MarketProgram {
  static let usage = """
    usage: Market [--rows N] [--seconds N]

      --rows N       the number of rows; 1000000 by default
      --seconds N    end after this many seconds; default: 5 if the output is not a terminal
      -h, --help     show this text

    20 rows change, 50 times per second. Without a terminal, the program presses keys itself, once per second.
    For each key, it prints a line with the change, the number of rows, the time until the result was shown,
    and the first row.

    """

  static func main() async throws {
    Output.reportBrokenPipes()
    var words = CommandLineWords(CommandLine.arguments.dropFirst())
    var (rows, seconds) = (1_000_000, Int?.none)
    do throws(CommandLineWords.Misuse) {
      while let word = words.next() {
        switch word {
        case .option("--rows"): rows = try number(of: "--rows", &words)
        case .option("--seconds"): seconds = try number(of: "--seconds", &words)
        case .option("--help"), .option("-h"): return show(usage)
        case .option(let name): throw CommandLineWords.unknown(name)
        case .operand(let word):
          throw CommandLineWords.Misuse(message: "\(word): unexpected argument")
        }
      }
    } catch {
      try? Output.write("Market: \(error.message)\n\(usage)", to: STDERR_FILENO)
      exit(EX_USAGE)
    }
    let board = Board(Market(rows: rows))
    guard Terminal.isTerminal(), !Terminal.isDumb else {
      return try await demo(board, seconds ?? 5)
    }
    try await Terminal.run { terminal in
      let bag = trading(board)
      bag.add { await draw(board, on: terminal) }
      if let seconds {
        bag.add {
          try? await Task.sleep(for: .seconds(seconds))
          exit(EXIT_SUCCESS)
        }
      }
      for await key in terminal.keys {
        if key == .control("z") {
          terminal.suspend()
        } else if !(await board.press(key, page: max(1, terminal.size.rows - 2))) {
          break
        }
      }
      bag.cancel()
    }
  }

  private static func show(_ text: String) {
    // Ignore an error, because it usually means that the reader has closed the output.
    try? Output.write(text)
  }

  private static func number(
    of option: String, _ words: inout CommandLineWords
  ) throws(CommandLineWords.Misuse) -> Int {
    try words.value(of: option, "a number above 0") { word in
      Int(word).flatMap { $0 > 0 ? $0 : nil }
    }
  }

  /// Starts to change 20 rows, 50 times per second.
  private static func trading(_ board: Board) -> TaskBag {
    let bag = TaskBag()
    bag.add {
      for await _ in AsyncInterval(every: .milliseconds(20)) { await board.market.trade(20) }
    }
    return bag
  }

  /// Draws the newest state, at most 20 times per second.
  ///
  /// The list does not compute the intermediate states.
  private static func draw(_ board: Board, on terminal: Terminal) async {
    for await (snapshot, wishes) in states(of: board.list, board.wishes) {
      terminal.draw(
        Board.frame(
          snapshot, of: board.market.state.count, wishes, news: "1000 changes per second",
          size: terminal.size))
      try? await Task.sleep(for: .milliseconds(50))
    }
  }

  /// Simulates key presses without a terminal, and prints how long each result takes to appear.
  private static func demo(_ board: Board, _ seconds: Int) async throws {
    let clock = ContinuousClock()
    let bag = trading(board)
    let keys: [(Key, String)] = [
      (.end, "to the end"), (.character("a"), "filter: A…"), (.character("b"), "filter: AB…"),
      (.escape, "no filter"), (.tab, "next order"), (.home, "to the start"),
    ]
    var states = board.list.states.makeAsyncIterator()
    for second in 0..<seconds {
      let (key, name) = keys[second % keys.count]
      let start = clock.now
      _ = await board.press(key, page: 20)
      guard let shown = await states.next() else { break }
      let age = clock.now - start
      let frame = Board.frame(
        shown, of: board.market.state.count, board.wishes.state, news: "",
        size: Size(columns: 80, rows: 3))
      try Output.write("\(name)\trows: \(shown.numberOfItems)\t\(age)\t\(frame.text(row: 1))\n")
      try await Task.sleep(for: .seconds(1))
    }
    bag.cancel()
  }
}
