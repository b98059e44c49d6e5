package import Testing

/// Runs `body` and returns the issues that it records instead of reporting them.
///
/// `withKnownIssue` would print the issues, and readers would have to find out that they are harmless.
///
/// - Parameter body: A closure that records issues on purpose.
/// - Returns: The issues, in the order in which they were recorded.
package func recordedIssues(
  _ body: @escaping @Sendable () async -> Void
) async -> [Issue] {
  await recordedIssues { _ in await body() }
}

/// Runs `body`, which can read the issues it has recorded, and returns them instead of reporting them.
///
/// - Parameter body: A closure that records issues on purpose.
/// - Returns: The issues, in the order in which they were recorded.
package func recordedIssues(
  _ body: @escaping @Sendable (Log<Issue>) async -> Void
) async -> [Issue] {
  let log = Log<Issue>()
  guard let test = Test.current else { return [] }
  let trait: IssueHandlingTrait = .compactMapIssues { issue in
    log.append(issue)
    return nil
  }
  do {
    try await trait.provideScope(for: test, testCase: Test.Case.current) { await body(log) }
  } catch {
    Issue.record(error)
  }
  return log.all
}

extension [Issue] {
  /// Whether one of the issues contains all of `words`.
  package func say(_ words: String...) -> Bool {
    contains { issue in
      let text = "\(issue.comments) \(issue)"
      return words.allSatisfy { text.contains($0) }
    }
  }
}
