import AsyncKnotRecorder
import AsyncOptical
import Foundation
import TerminalUI

/// Expenses by month, which you can load, search, edit, pay, save and undo while exchange rates change.
///
/// `App` contains the app, and `Screen` shows it in a terminal. With `--record FILE`, the program writes a page with a record of
/// its run when it ends.
@main
struct Tracker {
  static func main() async throws {
    let words = CommandLine.arguments.dropFirst()
    guard words.isEmpty || words.first == "--record" && words.count == 2 else {
      return try Output.write(
        "usage: Tracker [--record FILE]\n\nType these commands:\n\n\(Shell.usage)\n")
    }
    let print: @Sendable (String) -> Void = { try? Output.write($0 + "\n") }
    let service = DemoService()
    let ledger = Ledger(service: service.calls)
    let search = Search { [ledger] text in
      Set(ledger.state.expenses.filter { $0.what.localizedStandardContains(text) }.map(\.id))
    }
    let rates = Rates { ["EUR": 1, "USD": .random(in: 0.85...0.95), "JPY": 0.006] }
    let recorder = FlightRecorder()
    if !words.isEmpty {
      recorder.watch(ledger, as: "Ledger")
      recorder.watch(search, as: "Search")
      recorder.watch(rates, as: "Rates")
    }
    let screen = ListScreen(ledger, search, rates, on: LineSurface(print: print))
    let bag = TaskBag()
    ledger.values(of: \.message).live(in: bag) { if !$0.isEmpty { print("! \($0)") } }
    ledger.values(of: \.isLoading).live(in: bag) { if $0 { print("loading …") } }
    ledger.values(of: \.isSaved).live(in: bag) { print($0 ? "saved" : "saving …") }
    await screen.open()
    ledger.send(.load)
    await rates.start(every: .seconds(5))

    let shell = Shell(ledger: ledger, search: search, service: service)
    for await line in lines() where !shell.run(line, print: print) { break }
    await screen.close()
    await ledger.perform(.save)
    await bag.cancelAndWait()
    if let file = words.last {
      try recorder.page().write(toFile: file, atomically: true, encoding: .utf8)
    }
  }

  private static func lines() -> EventSequence<String> {
    let channel = EventChannel<String>()
    let lines = channel.subscribe()
    Thread.detachNewThread {
      while let line = readLine() { channel.send(line) }
      channel.finish()
    }
    return lines
  }
}
