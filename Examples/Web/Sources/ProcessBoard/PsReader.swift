import Foundation

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Reads the processes with `ps`, on systems without `/proc`.
public struct PsReader: ProcessReader {
  /// The error if `ps` fails.
  public struct Failure: Error, CustomStringConvertible {
    /// The exit status of `ps`.
    public let status: Int32
    /// The message for the user.
    public var description: String { "ps failed with status \(status)" }
  }

  private var users = UserNames()

  /// Creates a reader.
  public init() {}

  /// Runs `ps` and parses its output.
  public mutating func read() throws -> Reading {
    let info = ProcessInfo.processInfo
    var reading = Reading(time: info.systemUptime)
    for row in PsTable.rows(try Self.output()) {
      reading.processes.append(
        Reading.Process(
          id: row.id, user: users.name(of: row.user), name: row.name, command: row.command,
          processorTime: row.processorTime, memory: row.memory))
    }
    reading.memoryTotal = Int(info.physicalMemory)
    // Shared pages are counted several times, so the sum can exceed the total memory.
    reading.memoryUsed = min(
      Int(nearest: reading.processes.reduce(0) { $0 + Double($1.memory) }), reading.memoryTotal)
    var loads = [0.0, 0.0, 0.0]
    if getloadavg(&loads, 3) >= 1 { reading.load = loads[0] }
    reading.cores = info.activeProcessorCount
    return reading
  }

  private static func output() throws -> [UInt8] {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/ps")
    process.arguments = ["-axo", PsTable.columns]
    process.environment = ["LC_ALL": "C"]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure(status: process.terminationStatus)
    }
    return Array(output)
  }
}
