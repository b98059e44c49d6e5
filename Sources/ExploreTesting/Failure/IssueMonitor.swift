private import ExploreTestingRuntime
internal import Synchronization
internal import Testing

/// Watches the issues that runs record.
///
/// The monitor forwards all warnings. It forwards only the first failure of a run, and only one failure for each source location.
/// While a run is repeated for a report, the monitor suppresses all issues.
final class IssueMonitor: Sendable {
  private struct State {
    /// The source location of the run's first issue; an empty string if the issue has none.
    var place: String?
    /// The source locations whose issues have been shown.
    var shown: Set<String> = []
    var isSilent = false
  }

  private let state = OwnMutex(State())
  /// Whether an issue gets a comment with the seed of its run.
  private let namesSeeds: Bool

  init(namesSeeds: Bool) { self.namesSeeds = namesSeeds }

  /// Returns the issue recorded since the last call, as a reason to fail.
  func takeIssue() -> ExplorationFailure.Reason? {
    state.withLock { state in
      defer { state.place = nil }
      let isXCTests = knot_take_xctest_failure()
      return isXCTests || state.place != nil ? .issue(at: state.place) : nil
    }
  }

  /// Starts or stops suppressing issues.
  func silence(_ isSilent: Bool) {
    knot_silence_xctest(isSilent)
    state.withLock { $0.isSilent = isSilent }
  }

  /// Watches the issues that `body` and its tasks record.
  func watch<Result: Sendable>(_ body: @escaping @Sendable () async -> Result) async -> Result {
    // Drop the failure of an earlier exploration that had no monitor.
    _ = knot_take_xctest_failure()
    guard let test = Test.current else { return await body() }
    let result = Mutex<Result?>(nil)
    let trait: IssueHandlingTrait = .compactMapIssues { [self] issue in
      let explorer = Explorer.current
      if explorer?.state.withLock({ $0.isAbandoned }) == true { return nil }
      let place = issue.sourceLocation?.place ?? ""
      if issue.isFailure { explorer?.recorder?.fails("fails at \(place)") }
      let isSilent = state.withLock { state in
        guard issue.isFailure else { return state.isSilent }
        let isLater = state.place != nil
        if !isLater { state.place = place }
        guard !state.isSilent, explorer != nil else { return state.isSilent }
        return isLater || !state.shown.insert(place).inserted
      }
      if isSilent { return nil }
      guard namesSeeds, issue.isFailure, let seed = Exploration.seed else { return issue }
      var issue = issue
      issue.comments.append("explore: in the run of seed \(seed)")
      return issue
    }
    // `provideScope` throws only errors of its closure, and this closure does not throw.
    try? await trait.provideScope(for: test, testCase: Test.Case.current) {
      let value = await body()
      result.withLock { $0 = value }
    }
    if let value = result.withLock({ $0 }) { return value }
    return await body()
  }
}
