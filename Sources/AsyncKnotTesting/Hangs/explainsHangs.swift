public import Testing

/// What comes after a test that hangs has been explained.
public enum HangEnding: Sendable {
  /// The process ends with a failure as soon as nothing but tests that hang is left.
  case endProcess
  /// The process goes on, for a debugger. If the test ends after all, it fails.
  case goOn
}

/// Explains a test that does not end.
///
/// ```swift
/// @Test(.explainsHangs(after: .seconds(30))) func allPagesCome() async throws {
///   try await Task.sleep(for: .milliseconds(1))
/// }
/// ```
/// When a test has not ended by then, the kit prints who waits for whom: each unfinished task with its name,
/// where it was made, where it is suspended and on what. It does so from a thread of its own, so it also
/// speaks where all threads are blocked. The test fails. See the article <doc:ATestThatHangs>.
///
/// A suite passes it on to its tests. `EXPLAIN_HANGS=30 swift test` does the same for all tests of a program
/// that links the kit.
public struct HangTrait: TestTrait, SuiteTrait, TestScoping {
  let limit: Duration
  let ending: HangEnding

  /// A suite passes the trait on to its tests.
  public var isRecursive: Bool { true }

  /// Watches a test case while it runs.
  ///
  /// - Parameters:
  ///   - test: The test.
  ///   - testCase: One of its cases.
  ///   - function: The test.
  /// - Throws: What the test throws.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let (scope, before) = HangWatch.begin(test, limit, ending)
    defer { HangWatch.end(scope, before) }
    try await function()
  }
}

extension Trait where Self == HangTrait {
  /// Explains a test that does not end.
  ///
  /// - Parameters:
  ///   - limit: How long a test may take in real time; above zero.
  ///   - ending: What comes after that.
  /// - Returns: The trait.
  public static func explainsHangs(
    after limit: Duration, then ending: HangEnding = .endProcess
  ) -> Self {
    precondition(limit > .zero, "explainsHangs(after:): needs a time above zero; got \(limit)")
    return HangTrait(limit: limit, ending: ending)
  }
}
