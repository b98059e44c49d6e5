import AsyncKnot
import Foundation
import ProcessBoard
import WebServer

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Shows the processes of this machine in a browser.
@main
struct LiveTop {
  static func main() async {
    do {
      let arguments = try Arguments(CommandLine.arguments.dropFirst())
      if arguments.wantsHelp { return print(Arguments.usage, terminator: "") }
      try await run(arguments)
    } catch let misuse as OptionWords.Misuse {
      fail("\(misuse.message)\n\(Arguments.usage)", code: EX_USAGE)
    } catch {
      fail("\(error)", code: 1)
    }
  }

  private static func run(_ arguments: Arguments) async throws {
    let ends = Signals.ending()
    let sampler = Sampler(reader(arguments))
    let arrangements = Arrangements()
    let tabs = Tabs(limit: arguments.listen.tabs) {
      Tab(sampler: sampler, arrangements: arrangements)
    }
    let routes = Routes(tabs: tabs, sampler: sampler)
    let limits = arguments.listen.limits
    allowFiles(limits.connections + 64)
    let server = try WebServer(
      at: arguments.listen.host, port: arguments.listen.port, limits: limits, answer: routes.answer)
    print("LiveTop: http://\(arguments.listen.host):\(server.port)/ (Ctrl-C stops it)")
    fflush(nil)
    defer {
      tabs.close()
      server.stop()
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        try await sampler.run(every: arguments.interval, count: arguments.readings)
        // After the last reading, the server continues, so that pages can still show the reading.
        for await _ in sampler.states {}
      }
      group.addTask {
        for await tick in AsyncInterval(every: .milliseconds(250)) {
          server.endOverdue()
          if tick % 4 == 3 { tabs.sweep(tick: tick / 4) }
        }
      }
      group.addTask { for await _ in ends { return } }
      try await group.next()
      group.cancelAll()
    }
  }

  private static func reader(_ arguments: Arguments) -> any ProcessReader {
    if let seed = arguments.seed { return Simulation(seed: seed) }
    #if os(Linux)
      if !arguments.asksPs { return ProcReader() }
    #endif
    return PsReader()
  }

  private static func fail(_ reason: String, code: Int32) -> Never {
    FileHandle.standardError.write(Data("LiveTop: \(reason)\n".utf8))
    exit(code)
  }
}
