public import Testing

/// Runs a scenario under every schedule, or under every schedule with few forced switches.
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
/// A schedule is one order of the jobs, including the jobs that interrupt other jobs: when code creates or resumes a task,
/// unlocks a lock other than a `Mutex`, checks for cancellation and finds none, or creates a continuation, another job may run
/// before the code continues. A *forced switch* is a moment at which another task runs even though the previous task could
/// continue. Most bugs need only one or two forced switches (Musuvathi and Qadeer, *Iterative Context Bounding*, 2007). See the
/// article <doc:ExploringEverything>.
///
/// The search records an issue for a schedule that fails, and for a condition of ``sometimes(_:_:)`` that no schedule
/// meets. A search that `limit` or `timeLimit` ends early is neither a failure nor a proof: it records a warning with the
/// number of schedules that passed and, unless `stateIsInActors` is `true`, an estimate of the total. A long search prints its
/// progress every five seconds. The runs take place on the caller's thread. If you cancel the calling task, the search ends
/// without an issue. If that happens before the first run, a warning is recorded.
///
/// - Parameters:
///   - preemptions: The maximum number of forced switches in a schedule, at least 0; `nil` for no limit.
///   - faults: How many times `fault` may return `true` in a schedule, at least 0; `nil` for no limit. Set a limit if the code
///     retries without one, because otherwise the search would not end.
///   - stateIsInActors: Whether tasks share state only in actors. If `true`, schedules that differ only in the order of jobs on
///     different actors count as one, and no job interrupts another. Cannot be combined with `preemptions`.
///   - interrupts: Whether jobs may interrupt each other; otherwise tasks switch only where they suspend, or call
///     ``preemptionPoint()``.
///   - limit: The maximum number of runs, not counting up to 100 runs that estimate the total; at least 1.
///   - timeLimit: How long the runs may take in total, in real time; greater than zero.
///   - jobLimit: The number of jobs after which a run counts as endless; at least 1.
///   - sourceLocation: Where a failure is recorded.
///   - scenario: The code that each schedule runs; it should create all objects that it uses.
/// - Returns: The number of schedules; `nil` if one failed or the search is incomplete.
@discardableResult
public func exploreAll(
  preemptions: Int? = nil, faults: Int? = nil, stateIsInActors: Bool = false,
  interrupts: Bool = true,
  limit: Int = 100_000, timeLimit: Duration = .seconds(60), jobLimit: Int = 10_000,
  sourceLocation: SourceLocation = #_sourceLocation,
  _ scenario: @escaping @Sendable () async throws -> Void
) async -> Int? {
  precondition(
    preemptions == nil || !stateIsInActors,
    "exploreAll(preemptions:): cannot be combined with 'stateIsInActors: true'; got preemptions: \(preemptions ?? 0). Remove one of the two"
  )
  precondition(
    preemptions ?? 0 >= 0,
    "exploreAll(preemptions:): needs at least 0 preemptions; got \(preemptions ?? 0)")
  precondition(
    faults ?? 0 >= 0, "exploreAll(faults:): needs at least 0 faults; got \(faults ?? 0)")
  precondition(limit >= 1, "exploreAll(limit:): needs at least 1 run; got \(limit)")
  precondition(
    timeLimit > .zero, "exploreAll(timeLimit:): needs a time above 0; got \(timeLimit)")
  var exploration = Exploration(seeds: 1, jobLimit: jobLimit)
  exploration.allowing = [.noChoice]
  let plans = SearchPlans(
    cursor: SearchCursor(bound: preemptions, faults: faults, stateIsInActors: stateIsInActors),
    interrupts: interrupts && !stateIsInActors, limit: limit, timeLimit: timeLimit)
  let result = await exploration.record(
    "exploreAll", plans, sourceLocation: sourceLocation, scenario)
  guard result.passed, !Task.isCancelled else { return nil }
  guard result.source.isComplete else {
    var bounds = ["fewer tasks"]
    if !stateIsInActors {
      if preemptions != 0 { bounds.append("preemptions: \(min(2, (preemptions ?? 3) - 1))") }
      if interrupts { bounds.append("interrupts: false") }
    }
    Verdict.record(
      """
      exploreAll: \(result.source.progressWords) and found no failure; the limits are \(counted(limit, "run")) and \
      \(timeLimit). For a proof, use \(bounds.joined(separator: ", ")), or higher limits
      """, isRemark: true, sourceLocation: sourceLocation)
    return nil
  }
  return result.source.schedules
}

/// Plans the runs of an exhaustive search.
private struct SearchPlans: PlanSource {
  private static let probeCount = 100

  var cursor: SearchCursor
  let interrupts: Bool
  let limit: Int
  let timeLimit: Duration
  var progress = Progress()
  var runs = 0
  /// The number of schedules that have passed.
  var schedules = 0
  var isComplete = false
  /// The number of random runs that estimate the size of the search.
  ///
  /// These runs take place only once: after the search has taken five seconds, or when it reaches a limit.
  var probes = 0
  /// The sum of the estimates of the `probes` runs.
  var weight = 0.0

  mutating func next(after last: FinishedRun?) -> RunPlan? {
    if let last {
      progress.add(last)
      take(last.schedule.chooser.cursor)
    }
    guard !isComplete else { return nil }
    let isOver = runs >= limit || progress.spent >= timeLimit
    if probes > 0 || isOver || progress.isDue, probes < Self.probeCount, !cursor.stateIsInActors {
      probes += 1
      return plan(cursor.probing(seed: UInt64(probes)), number: UInt64(limit) + UInt64(probes))
    }
    guard !isOver else { return nil }
    if progress.isDue { progress.tell(progressWords) }
    runs += 1
    return plan(cursor, number: UInt64(runs))
  }

  /// Records a run that has passed.
  private mutating func take(_ last: SearchCursor) {
    guard !last.isProbe else { return weight += last.weight }
    cursor = last
    if !cursor.isRedundant { schedules += 1 }
    isComplete = !cursor.advance()
  }

  private func plan(_ cursor: SearchCursor, number: UInt64) -> RunPlan {
    var plan = RunPlan(seed: 0, Chooser(searching: cursor, interrupts: interrupts))
    plan.number = number
    plan.isRecorded = true
    return plan
  }

  /// Says how many schedules have passed, with an estimate of the total if there is one.
  var progressWords: String {
    guard probes > 0 else { return "searched \(counted(schedules, "schedule"))" }
    var unit = 1.0
    let mean = max(weight / Double(Self.probeCount), Double(schedules))
    // Only the first two digits of the estimate are meaningful.
    while mean / unit >= 100 { unit *= 10 }
    let about = (mean / unit).rounded() * unit
    return "searched \(schedules) of about \(about < 1e15 ? "\(Int(about))" : "\(about)") schedules"
  }

  func sentence(on failure: ExplorationFailure) -> String {
    failure.isExplainable ? "schedule \(schedules + 1) \(failure.what)" : failure.what
  }
}
