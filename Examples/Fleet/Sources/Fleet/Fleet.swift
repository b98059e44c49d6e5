import AsyncKnot
import FleetLog
import Foundation
import PostgresLog
import ProcessBoard
import WebServer

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Shows the processes of many machines on one page.
///
/// Each machine writes its processes to a log in PostgreSQL, and the gateways read the logs.
@main
struct Fleet {
  static func main() async {
    do {
      let arguments = try Arguments(CommandLine.arguments.dropFirst())
      switch arguments.job {
      case .help: print(Arguments.usage, terminator: "")
      case .publish: try await publish(arguments)
      case .show: try await show(arguments)
      case .forget: try await forget(arguments)
      }
    } catch let misuse as OptionWords.Misuse {
      fail("\(misuse.message)\n\(Arguments.usage)", code: EX_USAGE)
    } catch {
      fail("\(error)", code: 1)
    }
  }

  private static func publish(_ arguments: Arguments) async throws {
    let log = try PostgresLog(arguments.log)
    guard let seed = arguments.seed, let machines = arguments.machines else {
      let publisher = Publisher(
        log: log, name: arguments.name, lease: arguments.lease, sampler: Sampler(reader(arguments)))
      return try await untilSignal { try await publisher.run(every: arguments.interval) }
    }
    try await untilSignal {
      try await withThrowingDiscardingTaskGroup { group in
        for number in 1...machines {
          let reader = Simulation(seed: seed &+ UInt64(number), processes: arguments.processes)
          let publisher = Publisher(
            log: log, name: "\(arguments.name)-\(number)", lease: arguments.lease,
            sampler: Sampler(reader))
          group.addTask {
            try await Task.sleep(for: arguments.interval * (Double(number) / Double(machines)))
            try await publisher.run(every: arguments.interval)
          }
        }
      }
    }
  }

  private static func forget(_ arguments: Arguments) async throws {
    let log = try PostgresLog(arguments.log)
    guard try await log.forget(arguments.name).isEmpty else { return }
    guard try await log.heads().contains(where: { $0.name == arguments.name }) else {
      fail("\(arguments.name): there is no such log", code: 1)
    }
    fail(
      "\(arguments.name): the log is in use; stop its publisher, or wait until its lease expires",
      code: 1)
  }

  /// Once per minute, until the task is cancelled, deletes the logs that have been dead for at least `age`.
  private static func forget(in log: PostgresLog, deadFor age: Duration) async {
    repeat {
      // If the logs cannot be reached, the gateway reports the error.
      for name in (try? await log.forget(deadFor: age)) ?? [] {
        say("log \(name): deleted, because it has been dead for \(age / .seconds(86_400)) days")
      }
      try? await Task.sleep(for: .seconds(60))
    } while !Task.isCancelled
  }

  private static func show(_ arguments: Arguments) async throws {
    let log = try PostgresLog(arguments.log)
    let gateway = Gateway(log)
    let tabs = Tabs(limit: arguments.listen.tabs, gateway: gateway)
    var limits = arguments.listen.limits
    // The body of a request has room for the revisions of several thousand logs.
    limits.body = 1 << 19
    allowFiles(limits.connections + 64)
    let server = try WebServer(
      at: arguments.listen.host, port: arguments.listen.port, limits: limits,
      answer: Routes(tabs: tabs, gateway: gateway).answer)
    print("Fleet: http://\(arguments.listen.host):\(server.port)/ (Ctrl-C stops it)")
    fflush(nil)
    defer {
      tabs.close()
      server.stop()
    }
    try await untilSignal {
      await withDiscardingTaskGroup { group in
        group.addTask { await gateway.run() }
        group.addTask { await forget(in: log, deadFor: arguments.age) }
        group.addTask {
          for await _ in AsyncInterval(every: .milliseconds(250)) { server.endOverdue() }
        }
      }
    }
  }

  /// Runs an operation until a signal arrives, and then cancels the operation and waits for its end.
  private static func untilSignal(_ body: @escaping @Sendable () async throws -> Void) async throws
  {
    let ends = Signals.ending()
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask(operation: body)
      group.addTask { for await _ in ends { return } }
      try await group.next()
      group.cancelAll()
      do { try await group.waitForAll() } catch is CancellationError {}
    }
  }

  private static func reader(_ arguments: Arguments) -> any ProcessReader {
    if let seed = arguments.seed { return Simulation(seed: seed, processes: arguments.processes) }
    #if os(Linux)
      return ProcReader()
    #else
      return PsReader()
    #endif
  }

  private static func fail(_ reason: String, code: Int32) -> Never {
    say(reason)
    exit(code)
  }
}

/// Prints a message for the operator to standard error.
func say(_ text: String) {
  FileHandle.standardError.write(Data("Fleet: \(text)\n".utf8))
}
