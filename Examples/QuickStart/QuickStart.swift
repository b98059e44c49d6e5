import AsyncKnot
import TerminalUI

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The quick example of the original Knot, with actors and async sequences: a title that counts every
/// 100 ms, and a subtitle that counts every 10 ms and stops below 100.
@main
struct QuickStart {
  static let usage = """
    usage: QuickStart [--ticks N]

      --ticks N    end after N ticks of the title; 50 by default if the output is not a terminal
      -h, --help   show this

    Two pipes reduce the ticks of two clocks into the state of one node, which draws it. The title counts
    tenths of a second and never stops; the subtitle counts hundredths, until a filter stops it below 100.
    Keys: ^Z suspends, q quits. Without a terminal each frame is a line: title, tab, subtitle.

    """

  static func main() async throws {
    Output.reportBrokenPipes()
    var words = CommandLineWords(CommandLine.arguments.dropFirst())
    var ticks: Int?
    do throws(CommandLineWords.Misuse) {
      while let word = words.next() {
        switch word {
        case .option("--ticks"):
          ticks = try words.value(of: "--ticks", "a number above 0") { word in
            Int(word).flatMap { $0 > 0 ? $0 : nil }
          }
        case .option("--help"), .option("-h"): return show(usage)
        case .option(let name): throw CommandLineWords.unknown(name)
        case .operand(let word): throw CommandLineWords.Misuse(message: "\(word): not expected")
        }
      }
    } catch {
      try? Output.write("QuickStart: \(error.message)\n\(usage)", to: STDERR_FILENO)
      exit(EX_USAGE)
    }
    guard Terminal.isTerminal(), !Terminal.isDumb else {
      return await count(ticks ?? 50, on: .lines, terminal: nil)
    }
    try await Terminal.run { terminal in
      await count(ticks, on: .window(terminal), terminal: terminal)
    }
  }

  private static func show(_ text: String) {
    // Nobody reads any more where this fails.
    try? Output.write(text)
  }

  /// Counts up to a number of ticks, or until a key says that it is enough.
  private static func count(_ ticks: Int?, on screen: Screen, terminal: Terminal?) async {
    let testNode = Node(screen: screen)
    await testNode.render()
    let bag = TaskBag()

    AsyncInterval(every: .milliseconds(10), after: .seconds(1))
      .filter(with: testNode) { integer, _ in integer < 100 }
      .pipe(to: testNode, in: bag) { integer, state in state.subTitle = "\(integer)" }

    await withTaskGroup { group in
      group.addTask {
        await AsyncInterval(every: .milliseconds(100), after: .seconds(1))
          .prefix(ticks ?? .max)
          .pipe(to: testNode) { integer, state in state.title = "\(integer)" }
      }
      if let terminal {
        group.addTask {
          for await key in terminal.keys {
            switch key {
            case .character("q"), .escape, .control("c"): return
            case .control("z"): terminal.suspend()
            default: break
            }
          }
        }
      }
      await group.next()
      group.cancelAll()
    }
    await testNode.render()
  }
}
