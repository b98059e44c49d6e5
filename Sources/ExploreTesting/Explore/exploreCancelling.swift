public import Testing

/// Runs a scenario once for each of its suspensions, and cancels the scenario there.
///
/// <!-- sample: typealias Account = Transfers.Account -->
/// ```swift
/// await exploreCancelling {
///   let (from, to) = (Account(balance: 10), Account(balance: 0))
///   try? await transfer(5, from: from, to: to)
///   #expect(await from.balance + to.balance == 10)
/// }
/// ```
/// The first run is cancelled before it begins, the second after its first job, and so on, until a run ends before it would be
/// cancelled. This is repeated on several schedules. On the first schedule each task continues as long as it can; seeds decide
/// the other schedules. The expectations of the scenario must hold in each run; a `CancellationError` that it throws is not a
/// failure. A failure is recorded as an issue that names the job after which the scenario was cancelled, with the lanes of
/// the run.
///
/// If only a cancellation ends the scenario, the last run of each schedule stalls and fails. In such a scenario, start the work
/// in a task, and cancel that task after `await untilIdle()`.
///
/// The runs take place on the caller's thread. If you cancel the calling task, no further run begins.
///
/// - Parameters:
///   - seeds: The number of schedules; at least 1.
///   - limit: The maximum number of suspensions to try on each schedule; at least 1.
///   - sourceLocation: Where a failure is recorded.
///   - scenario: The code to run; it should create all objects that it uses.
/// - Returns: The number of runs that were cancelled before they ended, over all schedules.
@discardableResult
public func exploreCancelling(
  seeds: Int = 10, limit: Int = 1_000, sourceLocation: SourceLocation = #_sourceLocation,
  _ scenario: @escaping @Sendable () async throws -> Void
) async -> Int {
  precondition(seeds >= 1, "exploreCancelling(seeds:): needs at least 1 seed; got \(seeds)")
  precondition(limit >= 1, "exploreCancelling(limit:): needs at least 1 suspension; got \(limit)")
  let exploration = Exploration(allowing: [.noChoice])
  let plans = CancellationPlans(seeds: UInt64(seeds), limit: limit)
  let result = await exploration.record(
    "exploreCancelling", plans, sourceLocation: sourceLocation, scenario)
  if result.passed, result.source.cutSchedules > 0 {
    Verdict.record(
      """
      exploreCancelling: some suspensions of \(counted(result.source.cutSchedules, "schedule")) were not tried, because \
      the limit for each schedule is \(counted(limit, "suspension")); to try all, raise limit:
      """, isRemark: true, sourceLocation: sourceLocation)
  }
  return result.source.count
}

/// Plans runs that are cancelled after 0, 1, 2, … jobs, on each of several schedules.
private struct CancellationPlans: PlanSource {
  let seeds: UInt64
  let limit: Int
  var seed: UInt64 = 0
  var step = 0
  /// The number of passed runs that were cancelled before they ended.
  var count = 0
  /// The number of schedules whose remaining suspensions were not tried because of the limit.
  var cutSchedules = 0

  var isComplete: Bool { seed == seeds }

  mutating func next(after last: FinishedRun?) -> RunPlan? {
    if let last {
      let wasCancelled = last.run.trace.jobs > step
      // The run after the limit only finds out whether there is another suspension.
      let isBeyondLimit = step == limit
      if wasCancelled { isBeyondLimit ? (cutSchedules += 1) : (count += 1) }
      step += 1
      if !wasCancelled || isBeyondLimit { (seed, step) = (seed + 1, 0) }
    }
    guard seed < seeds else { return nil }
    var plan = RunPlan(
      seed: seed,
      seed == 0 ? Chooser(following: [], isMixed: false) : Chooser(.mixed, seed: seed))
    plan.number = UInt64(count) + seed + 1
    plan.cancelsAfter = step
    return plan
  }

  func sentence(on failure: ExplorationFailure) -> String {
    guard failure.isExplainable else { return failure.what }
    let schedule = seed == 0 ? "" : " on the schedule of seed \(seed)"
    let cancelled = "cancelled " + (step == 0 ? "before it began" : "after job \(step)")
    let moment = failure.trace.jobs <= step ? "before it was cancelled" : cancelled
    return "\(moment)\(schedule), the scenario \(failure.what)"
  }
}
