internal import Synchronization
public import Testing

/// Runs a test function under many interleavings.
///
/// ```swift
/// @Test(.explored(seeds: 10_000)) func depositsAdd() async {
///   let account = Account()
///   let first = Task { await account.deposit(1) }
///   let second = Task { await account.deposit(1) }
///   await first.value
///   await second.value
///   #expect(await account.balance == 2)
/// }
/// ```
/// The function is the scenario of ``explore(seeds:strategy:jobLimit:patience:allowing:leavesNothing:sourceLocation:_:)`` and
/// runs once for each seed. On a suite, the trait explores each of its tests. A test that never has a choice gets a warning.
///
/// A function that stalls is cancelled. If it still does not return, the process ends after the report, because Swift passes a
/// test function to its trait as a nonescaping closure, and a suspended task would keep the closure beyond the call of the trait.
/// If you call `explore` in the test instead, a scenario that stalls does not end the process.
public struct ExploredTrait: TestTrait, SuiteTrait, TestScoping {
  let exploration: Exploration
  let sourceLocation: SourceLocation

  /// `true`: a suite passes the trait on to its tests.
  public var isRecursive: Bool { true }

  /// Explores one test case.
  ///
  /// If the task of the test is cancelled, the exploration ends without a failure.
  ///
  /// - Parameters:
  ///   - test: The test that runs.
  ///   - testCase: One of its cases.
  ///   - function: The scenario.
  /// - Throws: Nothing; an error of the scenario is recorded with its seed.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    var exploration = exploration
    exploration.isLent = true
    let calls = Mutex(0)
    await withoutActuallyEscaping(function) { [exploration] function in
      await explore(exploration, sourceLocation: sourceLocation) {
        calls.withLock { $0 += 1 }
        defer { calls.withLock { $0 -= 1 } }
        try await function()
      }
      guard calls.withLock({ $0 == 0 }) else {
        fatalError(
          "\(sourceLocation): @Test(.explored): the test function never returned, so no other test can run. Call explore { } in the test instead"
        )
      }
    }
  }
}

extension Trait where Self == ExploredTrait {
  /// Runs the test function under many interleavings.
  ///
  /// - Parameters:
  ///   - seeds: The number of seeds to run, starting at seed 0; at least 1.
  ///   - strategy: How the next job is chosen.
  ///   - jobLimit: The number of jobs after which a run counts as endless; at least 1.
  ///   - patience: How long, in real time, a run with no ready job waits for code that the exploration does not control,
  ///     before the run counts as stalled.
  ///   - allowing: Conditions that do not fail this test, such as foreign work.
  ///   - sourceLocation: Where a failure is recorded.
  /// - Returns: A trait for a test, or for a suite, where it applies to each test.
  public static func explored(
    seeds: Int = 1_000, strategy: ExplorationStrategy = .mixed, jobLimit: Int = 100_000,
    patience: Duration = .seconds(1), allowing: ExplorationAllowances = [],
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> Self {
    ExploredTrait(
      exploration: Exploration(
        seeds: seeds, strategy: strategy, jobLimit: jobLimit, patience: patience, allowing: allowing
      ),
      sourceLocation: sourceLocation)
  }
}
