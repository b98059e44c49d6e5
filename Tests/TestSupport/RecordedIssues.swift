package import Testing

/// Runs a body and keeps the issues that it records to itself.
///
/// A known issue would be printed, and a reader would have to find out that it is no trouble.
///
/// - Parameter body: What records issues on purpose.
/// - Returns: The issues, in the order in which they came.
package func recordedIssues(
  _ body: @escaping @Sendable () async -> Void
) async -> [Issue] {
  await recordedIssues { _ in await body() }
}

/// Runs a body that sees the issues which it records, and keeps them to itself.
///
/// - Parameter body: What records issues on purpose.
/// - Returns: The issues, in the order in which they came.
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
  /// Whether one of the issues says all of this.
  package func say(_ words: String...) -> Bool {
    contains { issue in
      let text = "\(issue.comments) \(issue)"
      return words.allSatisfy { text.contains($0) }
    }
  }
}
