private import ExploreTestingRuntime
internal import Synchronization
internal import Testing

/// Takes note of the issues that runs record.
///
/// Only the first one of a run is shown, and none of runs that are repeated for a report.
final class IssueMonitor: Sendable {
  private struct State {
    var hasIssue = false
    var isSilent = false
  }

  private let state = OwnMutex(State())
  /// Whether issues get a comment with the seed of their run.
  private let namesSeeds: Bool

  init(namesSeeds: Bool) { self.namesSeeds = namesSeeds }

  /// Whether an issue was recorded since the last call.
  func takeIssue() -> Bool {
    state.withLock { state in
      defer { state.hasIssue = false }
      return knot_take_xctest_failure() || state.hasIssue
    }
  }

  /// Suppresses issues, or lets them be recorded again.
  func silence(_ isSilent: Bool) {
    knot_silence_xctest(isSilent)
    state.withLock { $0.isSilent = isSilent }
  }

  /// Takes note of the issues that `body` records, also in tasks that it starts.
  func watch<Result: Sendable>(_ body: @escaping @Sendable () async -> Result) async -> Result {
    guard let test = Test.current else { return await body() }
    let result = Mutex<Result?>(nil)
    let trait: IssueHandlingTrait = .compactMapIssues { [self] issue in
      if Explorer.current?.state.withLock({ $0.isAbandoned }) == true { return nil }
      let isSilent = state.withLock { state in
        let isFirst = !state.hasIssue
        if issue.isFailure { state.hasIssue = true }
        return state.isSilent || issue.isFailure && !isFirst && Exploration.seed != nil
      }
      if isSilent { return nil }
      guard namesSeeds, issue.isFailure, let seed = Exploration.seed else { return issue }
      var issue = issue
      issue.comments.append("explore: in the run of seed \(seed)")
      return issue
    }
    // `provideScope` throws only errors of its closure, which throws none.
    try? await trait.provideScope(for: test, testCase: Test.Case.current) {
      let value = await body()
      result.withLock { $0 = value }
    }
    if let value = result.withLock({ $0 }) { return value }
    return await body()
  }
}
