private import ExploreTestingRuntime
internal import Testing

/// The failing schedules of a test that are kept in a folder beside its file, to be replayed before any seed.
///
/// The folder is `.schedules`, which the package manager does not take for a resource. A test has one file there, in which one
/// ``ReplayFile`` follows another.
struct KeptSchedules {
  /// A schedule that is longer is no use to a reader, and not kept.
  static let longest = 64

  private let folder: String
  /// Where the file of the test is, or would be.
  let path: String

  /// - Parameters:
  ///   - test: The test.
  ///   - sourceLocation: A place in the file of the test.
  init(of test: Test, at sourceLocation: SourceLocation) {
    let file = sourceLocation.path
    let end = file.lastIndex { $0 == "/" || $0 == "\\" } ?? file.startIndex
    let words = test.replayName.split { !$0.isLetter && !$0.isNumber }
    folder = "\(file[..<end])/.schedules"
    path = "\(folder)/\(words.joined(separator: "-")).schedule"
  }

  /// The schedules; none where there is no file, `nil` where the file holds anything else.
  var files: [ReplayFile]? {
    guard let text = readFile(at: path) else { return [] }
    return ReplayFile.all(in: text)
  }

  /// Keeps one more schedule.
  ///
  /// - Returns: A sentence on what has become of it.
  func keep(_ file: ReplayFile) -> String {
    let call = "EXPLORE_KEEP: "
    guard file.switches.count <= Self.longest else {
      return call + "the schedule has \(file.switches.count) switches and is not kept; "
        + "one with more than \(Self.longest) tells nobody anything"
    }
    guard let files else {
      return call + "\(path) holds something else than schedules; remove it to keep this one"
    }
    guard !files.contains(file) else { return "\(path) keeps this schedule" }
    _ = unsafe mkdir(folder, 0o777)
    guard writeFile((files + [file]).map(\.text).joined(), at: path) else {
      return call + "\(path) cannot be written"
    }
    return "\(path) keeps this schedule; it is replayed before the seeds"
  }
}

extension SourceLocation {
  /// The path of the file, as the compiler was given it.
  fileprivate var path: String {
    #if compiler(>=6.3)
      filePath
    #else
      _filePath
    #endif
  }
}

/// What a replayed schedule has come to.
struct Replayed {
  /// How the run failed; `nil` if it passed.
  let failure: ExplorationFailure?
  /// Where the program no longer goes the way of the schedule; `nil` if it does.
  let divergence: String?
  /// What the run did.
  let report: LaneReport

  /// What somebody who asked for this replay reads; `nil` if the run went as it was told, and passed.
  var words: String? {
    guard failure != nil || divergence != nil else { return nil }
    let end = divergence.map { "; \($0)" } ?? ""
    return "the replayed schedule \(failure?.what ?? "did not fail")\(end)\n\n\(lanes)"
  }

  /// The lanes, whose functions are looked up only here, because that takes long.
  var lanes: String { failure.map(report.text) ?? report.description }
}

extension Exploration {
  /// Replays the kept schedules of the test that runs, until one fails.
  ///
  /// One that does not fit the program is refused with a warning, as it shows nothing any more.
  ///
  /// - Returns: The words of the failure; `nil` if there is none.
  func replayKept(
    in context: TestContext, judge: Judge,
    _ scenario: @escaping @Sendable () async throws -> Void
  ) async -> String? {
    guard let test = Test.current else { return nil }
    let kept = KeptSchedules(of: test, at: context.sourceLocation)
    guard let files = kept.files else {
      Verdict.record(
        "\(kept.path): needs the schedules of a test; remove the file, or keep them anew",
        isRemark: true, sourceLocation: context.sourceLocation)
      return nil
    }
    for (index, file) in files.enumerated() where !Task.isCancelled {
      let name = "schedule \(index + 1) of \(files.count) in \(kept.path)"
      let replayed = await replay(file.plan, in: context, judge: judge, scenario)
      if let divergence = replayed.divergence {
        Verdict.record(
          """
          \(name) is refused: it was kept for other code, of this test or under it (\(divergence)). \
          Remove it, or keep the failure anew with EXPLORE_KEEP=1
          """, isRemark: true, sourceLocation: context.sourceLocation)
      }
      if let failure = replayed.failure { return "\(name) \(failure.what)\n\n\(replayed.lanes)" }
    }
    return nil
  }
}
