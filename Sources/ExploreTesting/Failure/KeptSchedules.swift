private import ExploreTestingRuntime
internal import Testing

/// The failing schedules that are kept in a folder next to a test's file, and replayed before any seed.
///
/// The folder is `.schedules`, which the package manager does not treat as a resource. Each test has one file there, a
/// sequence of ``ReplayFile`` texts.
struct KeptSchedules {
  /// The maximum number of switches; a longer schedule is not kept, because it is too long to read.
  static let longest = 64

  private let folder: String
  /// The path of the test's schedule file, which may not exist.
  let path: String

  /// - Parameters:
  ///   - test: The test whose schedules are kept.
  ///   - sourceLocation: A location in the test's source file.
  init(of test: Test, at sourceLocation: SourceLocation) {
    let file = sourceLocation.filePath
    let end = file.lastIndex { $0 == "/" || $0 == "\\" } ?? file.startIndex
    let words = Self.words(test.replayName)
    folder = "\(file[..<end])/.schedules"
    path = "\(folder)/\(words.joined(separator: "-")).schedule"
  }

  /// The words of a test's name, which make up the name of its file.
  static func words(_ name: String) -> [Substring] {
    name.split { !$0.isLetter && !$0.isNumber }
  }

  /// The kept schedules; empty if there is no file, `nil` if the file is empty or contains anything but schedules.
  var files: [ReplayFile]? {
    guard let text = readFile(at: path) else { return [] }
    return ReplayFile.all(in: text)
  }

  /// Adds a schedule to the file and returns a sentence with the outcome.
  func keep(_ file: ReplayFile) -> String {
    let call = "EXPLORE_KEEP: "
    guard file.switches.count <= Self.longest else {
      return call + "the schedule has \(file.switches.count) switches and is not kept; "
        + "the limit is \(Self.longest), because a longer schedule is hard to read"
    }
    guard let files else {
      return call
        + "\(path) is not a valid schedule file; remove it, so that this schedule can be kept"
    }
    guard !files.contains(file) else { return "\(path) already contains this schedule" }
    _ = unsafe mkdir(folder, 0o777)
    guard writeFile((files + [file]).map(\.text).joined(), at: path) else {
      return call + "\(path) cannot be written"
    }
    return "\(path) now contains this schedule, which is replayed before the seeds"
  }
}

/// The result of a replayed schedule.
struct Replayed {
  /// The failure of the run; `nil` if it passed.
  let failure: ExplorationFailure?
  /// Where the program departs from the schedule; `nil` if it follows the whole schedule.
  let divergence: String?
  /// The steps of the run.
  let report: LaneReport

  /// The report for a replay that the user asked for; `nil` if the run followed the schedule and passed.
  var words: String? {
    guard failure != nil || divergence != nil else { return nil }
    let end = divergence.map { "; \($0)" } ?? ""
    return "the replayed schedule \(failure?.what ?? "did not fail")\(end)\n\n\(lanes)"
  }

  /// The lanes.
  ///
  /// Their functions are looked up only when the lanes are shown, because looking them up is slow.
  var lanes: String { failure.map(report.text) ?? report.description }
}

extension Exploration {
  /// Replays the kept schedules of the current test until one fails.
  ///
  /// A schedule that the program no longer follows is refused with a warning, because it proves nothing.
  ///
  /// - Returns: The report of the failure; `nil` if no schedule failed.
  func replayKept(
    in context: TestContext, judge: Judge,
    _ scenario: @escaping @Sendable () async throws -> Void
  ) async -> String? {
    guard let test = Test.current else { return nil }
    let kept = KeptSchedules(of: test, at: context.sourceLocation)
    guard let files = kept.files else {
      Verdict.record(
        "\(kept.path) is not a valid schedule file; remove it, and keep the failures again with EXPLORE_KEEP=1",
        isRemark: true, sourceLocation: context.sourceLocation)
      return nil
    }
    for (index, file) in files.enumerated() where !Task.isCancelled {
      let name = "schedule \(index + 1) of \(files.count) in \(kept.path)"
      guard file.test == test.replayName else {
        // Tests whose names consist of the same words share a file, so a schedule of such a test is skipped without a warning.
        if KeptSchedules.words(file.test) != KeptSchedules.words(test.replayName) {
          Verdict.record(
            "\(name) is not replayed, because it was kept by the test \(file.test); correct the schedule's line that begins with 'test', or remove the schedule",
            isRemark: true, sourceLocation: context.sourceLocation)
        }
        continue
      }
      let replayed = await replay(file.plan, in: context, judge: judge, scenario)
      if let divergence = replayed.divergence {
        Verdict.record(
          """
          \(name) is refused: the code has changed since it was kept (\(divergence)). \
          Remove the schedule, or keep the failure again with EXPLORE_KEEP=1. If the test has arguments or several \
          explorations, another argument or exploration may have kept this schedule
          """, isRemark: true, sourceLocation: context.sourceLocation)
      }
      if let failure = replayed.failure { return "\(name) \(failure.what)\n\n\(replayed.lanes)" }
    }
    return nil
  }
}
