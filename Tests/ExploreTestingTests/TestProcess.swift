import Foundation

/// Runs a test in a process of its own, which is this test program once more.
///
/// Such tests fail on purpose, and are enabled there only. Files that they write are in one folder, and
/// go with this.
final class TestProcess {
  /// What a process wrote.
  struct Session {
    let text: String
    let hasPassed: Bool

    /// How often the scenario of ``Victim`` began.
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

  /// What the process does where it dies by a signal.
  enum CrashHandler: CaseIterable {
    /// Nothing more.
    case off
    /// What Swift does where nobody has asked for anything: it stops all threads, and prints their stacks.
    case swifts
  }

  /// Whether this is such a process.
  static var isThis: Bool { ProcessInfo.processInfo.environment["KIT_TEST_PROCESS"] != nil }

  /// Where the files are.
  let path = NSTemporaryDirectory() + "explore-\(UUID().uuidString)"

  init() throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Runs the tests of a suite.
  ///
  /// - Parameters:
  ///   - suite: The suite; for XCTest the class, with its module.
  ///   - isXCTest: Whether XCTest runs them.
  ///   - handler: What it does where it dies by a signal.
  ///   - environment: Variables of the process.
  /// - Returns: What it wrote and left; a process that has not ended after two minutes is killed.
  /// - Throws: An error of the system, where the process cannot be run.
  func run(
    _ suite: String, isXCTest: Bool = false, handler: CrashHandler = .off,
    _ environment: [String: String] = [:]
  ) throws -> Session {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    // A name alone would match the file of a test as well, and so the test that runs this one.
    let filter = "[./]\(suite)[/(]"
    process.arguments =
      isXCTest ? [suite] : ["--testing-library", "swift-testing", "--filter", filter]
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
