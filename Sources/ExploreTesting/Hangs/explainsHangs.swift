public import Testing

/// Reports what a test that does not end is waiting for.
///
/// ```swift
/// @Test(.explainsHangs(after: .seconds(30))) func allPagesCome() async throws {
///   try await Task.sleep(for: .milliseconds(1))
/// }
/// ```
/// If a test has not ended in time, the kit prints who waits for whom: each unfinished task with its name, where it is
/// suspended and what it waits for. A separate thread prints this report, even if all other threads are blocked. The test
/// fails. The process ends when all unfinished tests with this trait hang, even if tests without the trait are still running. See
/// the article <doc:ATestThatHangs>.
///
/// A suite passes the trait on to its tests. `EXPLAIN_HANGS=300 swift test` does the same for all tests of a process that links
/// the kit, with one limit of 300 seconds for all of them together.
public struct HangTrait: TestTrait, SuiteTrait, TestScoping {
  let limit: Duration

  /// `true`: a suite passes the trait on to its tests.
  public var isRecursive: Bool { true }

  /// Watches one test case while it runs.
  ///
  /// - Parameters:
  ///   - test: The test that runs.
  ///   - testCase: One of its cases.
  ///   - function: The body of the test case.
  /// - Throws: The error that the test throws.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    HangWatch.begin(test, limit)
    defer { HangWatch.end() }
    try await function()
  }
}

extension Trait where Self == HangTrait {
  /// Reports what a test that does not end is waiting for.
  ///
  /// - Parameter limit: How long a test may take, in real time; greater than zero.
  /// - Returns: The trait.
  public static func explainsHangs(after limit: Duration) -> Self {
    precondition(limit > .zero, "explainsHangs(after:): needs a time above 0; got \(limit)")
    return HangTrait(limit: limit)
  }
}
