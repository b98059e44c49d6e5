public import Testing

/// Runs a scenario under every interleaving there is, or every one with few forced switches.
///
/// ```swift
/// await exploreAll(preemptions: 2) {
///   let account = Account()
///   …
/// }
/// ```
/// A schedule is one order of the jobs. A forced switch is a moment at which another task runs although
/// the one before could go on; most bugs need one or two (Musuvathi and Qadeer, *Iterative Context
/// Bounding*, 2007). See the article <doc:ExploringEverything>.
///
/// - Parameters:
///   - preemptions: How many forced switches a schedule may have; `nil` for any number.
///   - stateIsInActors: Whether all that tasks share is in actors. Then schedules that differ only in the
///     order of jobs at different actors, or at none, are one. Not with a bound.
///   - limit: How many runs are made at most; the search fails where they are not enough.
///   - jobLimit: How many jobs a run may take.
///   - sourceLocation: Where a failure is recorded.
///   - scenario: What is run; it should build all it needs itself.
/// - Returns: How many schedules there are; `nil` where one failed.
@discardableResult
public func exploreAll(
  preemptions: Int? = nil, stateIsInActors: Bool = false, limit: Int = 100_000,
  jobLimit: Int = 10_000, sourceLocation: SourceLocation = #_sourceLocation,
  _ scenario: @escaping @Sendable () async throws -> Void
) async -> Int? {
  precondition(
    preemptions == nil || !stateIsInActors,
    "exploreAll(stateIsInActors:): a bound of preemptions would leave schedules out")
  let monitor = IssueMonitor()
  let exploration = Exploration(seeds: 1, jobLimit: jobLimit)
  let cursor = SearchCursor(
    bound: preemptions, independence: stateIsInActors ? .actors : .nothing)
  let count = ResultBox<Int?>(nil)
  await monitor.watch {
    let context = TestContext()
    defer { context.end() }
    let result = await exploration.search(
      cursor, limit: limit, in: context, hasIssue: monitor.takeIssue, scenario)
    count.value = result.failure == nil && result.isComplete ? result.schedules : nil
    if let failure = result.failure {
      monitor.silence()
      let explanation = await exploration.explain(
        failure, following: result.switches, in: context, hasIssue: monitor.takeIssue, scenario)
      monitor.speak()
      Issue.record(
        "exploreAll: schedule \(result.schedules) \(failure.what)\n\n\(explanation.text)",
        sourceLocation: sourceLocation)
    } else if !result.isComplete, !Task.isCancelled {
      Issue.record(
        "exploreAll: \(limit) runs were not enough; give it fewer tasks, a bound, or a higher limit",
        sourceLocation: sourceLocation)
    }
  }
  return count.value
}

extension Exploration {
  /// What an exhaustive search has found.
  struct SearchResult: Sendable {
    var schedules = 0
    var failure: ExplorationFailure?
    /// The schedule that failed.
    var switches: [ForcedSwitch] = []
    var isComplete = false
  }

  func search(
    _ cursor: SearchCursor, limit: Int, in context: TestContext, hasIssue: () -> Bool,
    _ scenario: @escaping @Sendable () async throws -> Void
  ) async -> SearchResult {
    var cursor = cursor
    var result = SearchResult()
    var account = ExplorationAccount()
    var loan = ThreadLoan()
    defer { ProcessAccount.add(account) }
    for _ in 0..<limit {
      if Task.isCancelled { return result }
      var plan = RunPlan(seed: 0, searching: cursor)
      plan.isRecorded = true
      let (run, schedule) = await run(plan, in: context, scenario)
      account.add(run.account)
      cursor = schedule.cursor
      if !cursor.isRedundant { result.schedules += 1 }
      if let failure = failure(of: run, seed: 0, hasIssue: hasIssue) {
        result.failure = failure
        result.switches = schedule.switches
        return result
      }
      if !cursor.advance() {
        result.isComplete = true
        return result
      }
      await loan.settle(after: run.account)
    }
    return result
  }
}
