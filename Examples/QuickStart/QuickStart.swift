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
  static func main() async throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    let ticks: Int?
    switch (arguments.first, arguments.dropFirst().first.map(Int.init)) {
    case (nil, _): ticks = nil
    case ("--ticks", .some(.some(let number))) where number > 0 && arguments.count == 2:
      ticks = number
    default:
      try? Output.write("usage: QuickStart [--ticks N]\n", to: STDERR_FILENO)
      exit(EX_USAGE)
    }
    Output.reportBrokenPipes()
    guard Terminal.isTerminal() else { return await count(ticks, on: .lines, keys: nil) }
    try await Terminal.run { terminal in
      await count(ticks, on: .window(terminal), keys: terminal.keys)
    }
  }

  /// Counts up to a number of ticks, or until a key says that it is enough.
  private static func count(_ ticks: Int?, on screen: Screen, keys: AsyncStream<Key>?) async {
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
      if let keys {
        group.addTask {
          let quits: Set<Key> = [.character("q"), .escape, .control("c")]
          _ = await keys.first { quits.contains($0) }
        }
      }
      await group.next()
      group.cancelAll()
    }
    await testNode.render()
  }
}
