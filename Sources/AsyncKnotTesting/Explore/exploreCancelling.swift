public import Testing

/// Runs a scenario once for each of its suspensions, and cancels it there.
///
/// <!-- sample: typealias Account = Transfers.Account -->
/// ```swift
/// await exploreCancelling {
///   let (from, to) = (Account(balance: 10), Account(balance: 0))
///   try? await transfer(5, from: from, to: to)
///   #expect(await from.balance + to.balance == 10)
/// }
/// ```
/// The first run is cancelled before it begins, the next one after its first job, and so on, until a run
/// ends before it would be cancelled. The schedule is the same in all runs: each task goes on as long as it
/// can. What the scenario expects must hold in each run; a `CancellationError` that it throws is no failure.
/// A failure is recorded as an issue that names the job after which the scenario was cancelled, with a line for each
/// job.
///
/// The runs take place on the thread of the caller. When the calling task is cancelled, no further run
/// begins.
///
/// - Parameters:
///   - limit: How many suspensions are tried at most; at least 1.
///   - sourceLocation: The place at which a failure is recorded.
///   - scenario: The code that is run; it should make all objects that it uses.
/// - Returns: At how many suspensions the scenario was cancelled.
@discardableResult
public func exploreCancelling(
  limit: Int = 1_000, sourceLocation: SourceLocation = #_sourceLocation,
  _ scenario: @escaping @Sendable () async throws -> Void
) async -> Int {
  precondition(limit >= 1, "exploreCancelling(limit:): needs room for a run; got \(limit)")
  let monitor = IssueMonitor(namesSeeds: false)
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
        let moment = step == 0 ? "before it began" : "after job \(step)"
        let recorder = RunRecorder()
        plan.recorder = recorder
        monitor.silence()
        _ = await exploration.run(plan, in: context, scenario)
        monitor.speak()
        let report = LaneReport(run: recorder.run).text(of: failure)
        Issue.record(
          "exploreCancelling: cancelled \(moment), the scenario \(failure.what)\n\n\(report)",
          sourceLocation: sourceLocation)
        return
      }
      if run.trace.jobs <= step {
        guard let failure = context.failure else { return }
        Issue.record("exploreCancelling: \(failure.what)", sourceLocation: sourceLocation)
        return
      }
      count.value = step + 1
      await Task.yield()
    }
  }
  return count.value
}
