public import Testing

/// Runs a scenario once for each of its suspensions, and cancels it there.
///
/// ```swift
/// await exploreCancelling {
///   let node = Node()
///   for await _ in node.states { … }
///   #expect(node.observerCount == 0)
/// }
/// ```
/// The schedule is the same each time: each task goes on as long as it can. The scenario has to hold what it
/// promises also when it is cancelled; a `CancellationError` that it throws is no failure.
///
/// - Parameters:
///   - limit: How many suspensions are tried at most.
///   - sourceLocation: Where a failure is recorded.
///   - scenario: What is run; it should build all it needs itself.
/// - Returns: At how many moments it was cancelled.
@discardableResult
public func exploreCancelling(
  limit: Int = 1_000, sourceLocation: SourceLocation = #_sourceLocation,
  _ scenario: @escaping @Sendable () async throws -> Void
) async -> Int {
  let monitor = IssueMonitor()
  let exploration = Exploration(seeds: 1, allowing: [.noChoice])
  let count = ResultBox(0)
  await monitor.watch {
    let context = TestContext()
    defer { context.end() }
    for step in 0..<limit {
      if Task.isCancelled { return }
      var plan = RunPlan(seed: 0, following: [])
      plan.cancelsAfter = step
      let (run, _) = await exploration.run(plan, in: context, scenario)
      var failure = exploration.failure(of: run, seed: 0, hasIssue: monitor.takeIssue)
      if case .threw(let error)? = failure?.reason, error is CancellationError { failure = nil }
      if let failure {
        Issue.record(
          "exploreCancelling: cancelled after step \(step), the scenario \(failure.what)",
          sourceLocation: sourceLocation)
        return
      }
      if run.trace.jobs <= step { return }
      count.value = step + 1
      await Task.yield()
    }
  }
  return count.value
}
