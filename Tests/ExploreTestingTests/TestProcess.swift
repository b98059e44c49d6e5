import Foundation

/// Runs a test in a separate process of this test program.
///
/// Tests with the condition ``isThis`` are enabled only in a separate process, because most of them fail on purpose. The files
/// that they write are in one folder, which is deleted with this object.
final class TestProcess {
  /// The output and the verdict of a process.
  struct Session {
    let text: String
    let hasPassed: Bool

    /// The number of times that the scenario of ``Victim`` or ``KeptVictim`` ran.
    var runs: Int { text.components(separatedBy: "a run begins").count - 1 }

    /// The seed that the text names.
    var seed: String? {
      guard let start = text.range(of: "EXPLORE_SEED=") else { return nil }
      return String(text[start.upperBound...].prefix(while: \.isNumber))
    }

    /// The file that the text names.
    var file: String? {
      guard let start = text.range(of: "EXPLORE_REPLAY=") else { return nil }
      return String(text[start.upperBound...].prefix { $0 != " " && $0 != "\n" })
    }
  }

  /// The behavior of the process when a signal ends it.
  enum CrashHandler: CaseIterable {
    /// The process ends without further output.
    case off
    /// Swift's default: stops all threads and prints their stacks.
    case swifts
  }

  /// Whether this process was started by `run`.
  static var isThis: Bool { ProcessInfo.processInfo.environment["KIT_TEST_PROCESS"] != nil }

  /// The folder of the files that the process writes.
  let path = NSTemporaryDirectory() + "explore-\(UUID().uuidString)"

  init() throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Runs the tests of a suite, or one of them.
  ///
  /// - Parameters:
  ///   - suite: The suite, or the suite and the test. For XCTest, the class with its module.
  ///   - isXCTest: Whether XCTest runs the tests.
  ///   - handler: What the process does when a signal ends it.
  ///   - options: More arguments for Swift Testing.
  ///   - environment: The environment variables to set in the process.
  /// - Returns: The output and the verdict. A process that has not ended after two minutes is killed.
  /// - Throws: A system error if the process cannot start.
  func run(
    _ suite: String, isXCTest: Bool = false, handler: CrashHandler = .off,
    options: [String] = [],
    _ environment: [String: String] = [:]
  ) throws -> Session {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    // The suite's name alone could also match a file's name, and the filter would select the test that starts this process.
    let filter = "[./]\(suite)[/(]"
    process.arguments =
      isXCTest ? [suite] : ["--testing-library", "swift-testing", "--filter", filter] + options
    process.environment = ProcessInfo.processInfo.environment.filter {
      !$0.key.hasPrefix("EXPLORE") && $0.key != "SWIFT_BACKTRACE"
    }
    .merging(["TMPDIR": path, "KIT_TEST_PROCESS": "1", "NO_COLOR": "1", "TERM": "dumb"]) { $1 }
    .merging(handler == .off ? ["SWIFT_BACKTRACE": "enable=no"] : [:]) { $1 }
    .merging(environment) { $1 }
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let limit = DispatchWorkItem { [number = process.processIdentifier] in kill(number, SIGKILL) }
    DispatchQueue.global().asyncAfter(deadline: .now() + 120, execute: limit)
    defer { limit.cancel() }
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Session(
      text: String(decoding: data, as: UTF8.self), hasPassed: process.terminationStatus == 0)
  }
}
