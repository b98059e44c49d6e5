public import Testing

/// Runs a scenario under every interleaving, or under every one with few forced switches.
///
/// ```swift
/// await exploreAll(preemptions: 2) {
///   let account = Account()
///   async let first: Void = account.deposit(1)
///   async let second: Void = account.deposit(1)
///   _ = await (first, second)
///   #expect(await account.balance == 2)
/// }
/// ```
/// A schedule is one order of the jobs. A forced switch is a moment at which another task runs although
/// the one before could go on; most bugs need one or two (Musuvathi and Qadeer, *Iterative Context
/// Bounding*, 2007). See the article <doc:ExploringEverything>.
///
/// A schedule that fails, a search that is longer than `limit`, and a condition of ``sometimes(_:_:)`` that
/// no schedule has met are recorded as issues. The runs take place on the thread of the caller. When the
/// calling task is cancelled, the search ends without an issue.
///
/// - Parameters:
///   - preemptions: How many forced switches a schedule may have, from 0; `nil` for any number.
///   - stateIsInActors: Whether tasks share state only in actors. Then schedules that differ only in the
///     order of jobs at different actors, or at none, count as one. It cannot be combined with a bound.
///   - limit: How many runs are made at most; at least 1.
///   - jobLimit: How many jobs a run may take before it counts as endless; at least 1.
///   - sourceLocation: The place at which a failure is recorded.
///   - scenario: The code that each schedule runs; it should make all objects that it uses.
/// - Returns: How many schedules there are; `nil` if one failed, or the search was not completed.
@discardableResult
public func exploreAll(
  preemptions: Int? = nil, stateIsInActors: Bool = false, limit: Int = 100_000,
  jobLimit: Int = 10_000, sourceLocation: SourceLocation = #_sourceLocation,
  _ scenario: @escaping @Sendable () async throws -> Void
) async -> Int? {
  precondition(
    preemptions == nil || !stateIsInActors,
    "exploreAll(stateIsInActors:): a bound of preemptions would leave schedules out")
  if let preemptions {
    precondition(
      preemptions >= 0, "exploreAll(preemptions:): needs a count of at least 0; got \(preemptions)")
  }
  precondition(limit >= 1, "exploreAll(limit:): needs room for a run; got \(limit)")
  let monitor = IssueMonitor(namesSeeds: false)
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
    if let failure = result.failure, !failure.isExplainable {
      Issue.record("exploreAll: \(failure.what)", sourceLocation: sourceLocation)
    } else if let failure = result.failure {
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
  /// How an exhaustive search has ended.
  struct SearchResult: Sendable {
    var schedules = 0
    var failure: ExplorationFailure?
    /// The schedule that failed.
    var switches: [ForcedSwitch] = []
    var isComplete = false
  }

  /// Runs one schedule after another, until one fails, all have passed or the limit is met.
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
        result.failure = context.failure
        return result
      }
      await loan.settle(after: run.account)
    }
    return result
  }
}
