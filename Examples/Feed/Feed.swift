import Foundation
import TerminalUI

/// A feed of articles and polls on a terminal.
@main
struct Feed {
  static func main() async {
    do {
      try await run(try Arguments(CommandLine.arguments.dropFirst()))
    } catch let failure as Arguments.Failure {
      fail("\(failure.message)\n\n\(Arguments.usage)", code: 2)
    } catch Terminal.Failure.notATerminal {
      fail(
        "Feed needs a terminal to draw in; use --script KEYS to play keys without a terminal",
        code: 2)
    } catch {
      fail("\(error)", code: 1)
    }
  }

  private static func run(_ arguments: Arguments) async throws {
    if arguments.wantsHelp { return try Output.write(Arguments.usage) }
    let state = try read(arguments.feed, FeedFile.read)
    guard let script = arguments.script else { return try await show(state) }
    let keys = try read(script, KeyScript.keys)
    let screen = await play(keys, on: state)
    let shown = screen.portable
    let lines = (0..<shown.size.rows).map { shown.text(row: $0) + "\n" }
    try Output.write(lines.joined())
  }

  /// Plays keys without a terminal and returns the last screen.
  static func play(_ keys: [Key], on state: FeedState, size: Size = .classic) async -> Frame {
    var program = await FeedProgram(state, size: size)
    await program.shown()
    for key in keys where await !program.press(key) { break }
    return await program.surface.frame
  }

  private static func show(_ state: FeedState) async throws {
    if Terminal.isDumb { throw Terminal.Failure.notATerminal }
    try await Terminal.run { terminal in
      var program = await FeedProgram(state, size: terminal.size) { terminal.draw($0) }
      let surface = program.surface
      let resizing = Task {
        for await size in terminal.sizes { await surface.resize(to: size) }
      }
      defer { resizing.cancel() }
      for await key in terminal.keys {
        if key == .control("z") {
          terminal.suspend()
        } else if await !program.press(key) {
          break
        }
      }
    }
  }

  /// Reads and parses a file.
  ///
  /// Errors contain the file's path.
  private static func read<Content>(
    _ path: String, _ parse: (String) throws(FeedFileError) -> Content
  ) throws -> Content {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw Unreadable(description: "the file \(path) does not exist or cannot be read")
    }
    guard let text = String(validating: data, as: UTF8.self) else {
      throw Unreadable(description: "the file \(path) is not UTF-8 text")
    }
    do {
      return try parse(text.hasPrefix("\u{FEFF}") ? String(text.dropFirst()) : text)
    } catch {
      throw Unreadable(description: "\(path), \(error)")
    }
  }

  private struct Unreadable: Error, CustomStringConvertible {
    let description: String
  }

  private static func fail(_ reason: String, code: Int32) -> Never {
    try? Output.write("Feed: \(reason)\n", to: FileHandle.standardError.fileDescriptor)
    exit(code)
  }
}
