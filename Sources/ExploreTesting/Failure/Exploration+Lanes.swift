extension Exploration {
  /// Finds the first failure and its shortest schedule, for a program that shows them outside a test.
  ///
  /// - Parameter scenario: The code that each seed runs; it throws to report a failure.
  /// - Returns: The failure and its lanes; `nil` if all runs passed. The lanes are `nil` if the run took a different
  ///   path when it was repeated, or if no single schedule shows the failure.
  package func lanes(
    of scenario: @escaping @Sendable () async throws -> Void
  ) async -> (failure: ExplorationFailure, lanes: String?)? {
    let context = TestContext()
    defer { context.end() }
    let judge: Judge = { $1 }
    var seeds = SeedPlans(self)
    let result = await loop(over: &seeds, in: context, judge: judge, scenario)
    guard let failure = result.failure else { return nil }
    guard let failed = result.failed, failure.isExplainable else { return (failure, nil) }
    let explanation = await explain(failure, of: failed, in: context, judge: judge, scenario)
    return (failure, explanation?.report.text(of: failure))
  }
}
