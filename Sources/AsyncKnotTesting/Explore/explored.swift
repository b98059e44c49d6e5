public import Testing

/// Runs a test function under many interleavings.
///
/// ```swift
/// @Test(.explored(seeds: 10_000)) func nothingIsLost() async {
///   let account = Account()
///   …
/// }
/// ```
/// The function is the scenario of ``explore(seeds:strategy:jobLimit:patience:allowing:sourceLocation:_:)``.
public struct ExploredTrait: TestTrait, SuiteTrait, TestScoping {
  let exploration: Exploration
  let sourceLocation: SourceLocation

  /// Each test of a suite is explored on its own.
  public var isRecursive: Bool { true }

  /// The trait works on test cases.
  ///
  /// - Parameters:
  ///   - test: The test.
  ///   - testCase: One of its cases.
  /// - Returns: The trait for a case, nothing for the test as a whole.
  public func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? {
    testCase == nil ? nil : self
  }

  /// Explores a test case.
  ///
  /// - Parameters:
  ///   - test: The test.
  ///   - testCase: One of its cases.
  ///   - function: The scenario.
  /// - Throws: Nothing; what the scenario throws is recorded with its seed.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    await withoutActuallyEscaping(function) { scenario in
      await explore(exploration, sourceLocation: sourceLocation, scenario)
    }
  }
}

extension Trait where Self == ExploredTrait {
  /// Runs the test function under many interleavings.
  ///
  /// - Parameters:
  ///   - seeds: How many seeds are run.
  ///   - strategy: How the next job is chosen.
  ///   - allowing: What is no failure here.
  ///   - sourceLocation: Where the failure is recorded.
  /// - Returns: The trait.
  public static func explored(
    seeds: Int = 1_000, strategy: ExplorationStrategy = .mixed,
    allowing: ExplorationAllowances = [], sourceLocation: SourceLocation = #_sourceLocation
  ) -> Self {
    ExploredTrait(
      exploration: Exploration(seeds: seeds, strategy: strategy, allowing: allowing),
      sourceLocation: sourceLocation)
  }
}
