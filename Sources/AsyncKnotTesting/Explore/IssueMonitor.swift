internal import Synchronization
internal import Testing

/// Sees the issues that runs record, and keeps back those of runs that are repeated for a report.
final class IssueMonitor: Sendable {
  private struct State {
    var hasIssue = false
    var isSilent = false
  }

  private let state = Mutex(State())

  /// Whether an issue was recorded since the last answer.
  func takeIssue() -> Bool {
    state.withLock { state in
      defer { state.hasIssue = false }
      return state.hasIssue
    }
  }

  /// From now on issues are seen by nobody else.
  func silence() { state.withLock { $0.isSilent = true } }

  /// From now on issues are recorded again.
  func speak() { state.withLock { $0.isSilent = false } }

  /// Sees the issues that `body` records.
  func watch(_ body: @escaping @Sendable () async -> Void) async {
    guard let test = Test.current else { return await body() }
    let trait: IssueHandlingTrait = .compactMapIssues { [self] issue in
      let isSilent = state.withLock { state in
        if issue.isFailure { state.hasIssue = true }
        return state.isSilent
      }
      if isSilent { return nil }
      guard issue.isFailure, let seed = Exploration.seed else { return issue }
      var issue = issue
      issue.comments.append("explore: in the run of seed \(seed)")
      return issue
    }
    do {
      try await trait.provideScope(for: test, testCase: Test.Case.current, performing: body)
    } catch {
      Issue.record(error)
    }
  }
}
