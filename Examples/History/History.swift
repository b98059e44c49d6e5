import AsyncKnot
import Foundation
import TerminalUI

/// A history of programming languages on a terminal, in which you can load pages, follow entries and edit titles.
@main
struct History {
  static func main() async {
    do {
      try await show(try Arguments(CommandLine.arguments.dropFirst()))
    } catch let failure as Arguments.Failure {
      fail("\(failure.message)\n\n\(Arguments.usage)", code: 2)
    } catch Terminal.Failure.notATerminal {
      fail("History needs a terminal to draw in", code: 2)
    } catch {
      fail("\(error)", code: 1)
    }
  }

  @MainActor
  private static func show(_ arguments: Arguments) async throws {
    if arguments.wantsHelp { return try Output.write(Arguments.usage) }
    if Terminal.isDumb { throw Terminal.Failure.notATerminal }
    let service: any HistoryService =
      arguments.address.map(WebService.init) ?? FolderService.shipped
    try await Terminal.run { terminal in
      let program = HistoryProgram(
        service: service, timeout: arguments.timeout, size: terminal.size
      ) { terminal.draw($0) }
      let archive = arguments.state.map(Followed.archive)
      await program.start(archive)
      let resizing = Task { for await size in terminal.sizes { program.size = size } }
      defer { resizing.cancel() }
      for await key in terminal.keys {
        if key == .control("z"), !program.isTyping {
          terminal.suspend()
        } else if !program.press(key) {
          break
        }
      }
      try await program.stop(archive)
    }
  }

  private static func fail(_ reason: String, code: Int32) -> Never {
    try? Output.write("History: \(reason)\n", to: FileHandle.standardError.fileDescriptor)
    exit(code)
  }
}

extension HistoryProgram {
  /// Whether the user is editing a title.
  ///
  /// If so, ^Z undoes typing instead of suspending the program.
  fileprivate var isTyping: Bool {
    editor.map { $0.state.phase != .reading } ?? false
  }
}
