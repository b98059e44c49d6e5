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
/// A schedule is one order of the jobs, and of what comes in the middle of one: where code creates or resumes a task,
/// unlocks a lock, or is about to wait, another job may run before it goes on. A forced switch is a moment at which another task runs
/// although the one before could go on; most bugs need one or two (Musuvathi and Qadeer, *Iterative Context
/// Bounding*, 2007). See the article <doc:ExploringEverything>.
///
/// A schedule that fails, and a condition of ``sometimes(_:_:)`` that no schedule has met are recorded as issues. A search that
/// is not completed within `limit` and `timeLimit` is no failure and no proof: a warning says how many schedules of about how many
/// have passed. One that takes long says every five seconds how far it is. The runs take place on the thread of the caller. When the
/// calling task is cancelled, the search ends without an issue.
///
/// - Parameters:
///   - preemptions: How many forced switches away from a task that could go on a schedule may have, from 0; `nil` for any
///     number.
///   - faults: How many times `fault` may say yes in a schedule, from 0; `nil` for any number, which retries without end
///     would use.
///   - stateIsInActors: Whether tasks share state only in actors. Then schedules that differ only in the
///     order of jobs at different actors, or at none, count as one, and no job comes in the middle of another. It cannot
///     be combined with a bound.
///   - interrupts: Whether other jobs may come in the middle of one; else they come where it suspends.
///   - limit: How many runs are made at most; at least 1.
///   - timeLimit: How long the runs may take together, in real time; more than zero.
///   - jobLimit: How many jobs a run may take before it counts as endless; at least 1.
///   - sourceLocation: The place at which a failure is recorded.
///   - scenario: The code that each schedule runs; it should make all objects that it uses.
/// - Returns: How many schedules there are; `nil` if one failed, or the search was not completed.
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
    "exploreAll(stateIsInActors:): a bound of preemptions would leave schedules out")
  precondition(
    preemptions ?? 0 >= 0,
    "exploreAll(preemptions:): needs a count of at least 0; got \(preemptions ?? 0)")
  precondition(
    faults ?? 0 >= 0, "exploreAll(faults:): needs a count of at least 0; got \(faults ?? 0)")
  precondition(limit >= 1, "exploreAll(limit:): needs room for a run; got \(limit)")
  precondition(timeLimit > .zero, "exploreAll(timeLimit:): needs some time; got \(timeLimit)")
  var exploration = Exploration(seeds: 1, jobLimit: jobLimit)
  exploration.allowing = [.noChoice]
  let plans = SearchPlans(
    cursor: SearchCursor(bound: preemptions, faults: faults, stateIsInActors: stateIsInActors),
    interrupts: interrupts && !stateIsInActors, limit: limit, timeLimit: timeLimit)
  let result = await exploration.record(
    "exploreAll", plans, sourceLocation: sourceLocation, scenario)
  guard result.passed, !Task.isCancelled else { return nil }
  guard result.source.isComplete else {
    Verdict.record(
      """
      exploreAll: \(result.source.progressWords), and all of these pass; there was room for \(limit) runs and \
      \(timeLimit). For a proof take fewer tasks, a bound, interrupts: false, or more room
      """, isRemark: true, sourceLocation: sourceLocation)
    return nil
  }
  return result.source.schedules
}

/// The runs of an exhaustive search.
private struct SearchPlans: PlanSource {
  private static let probeCount = 100

  var cursor: SearchCursor
  let interrupts: Bool
  let limit: Int
  let timeLimit: Duration
  var progress = Progress()
  var runs = 0
  /// How many schedules have passed.
  var schedules = 0
  var isComplete = false
  /// Runs that are drawn from the search, to tell how long it is; they are made once, where it takes long.
  var probes = 0
  /// The sum of the numbers of schedules for which these stand.
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

  /// Takes note of a run that has passed.
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

  /// How many schedules there were, of about how many.
  var progressWords: String {
    guard probes > 0 else { return "searched \(schedules) schedules" }
    var unit = 1.0
    let mean = max(weight / Double(Self.probeCount), Double(schedules))
    // The first two digits mean something.
    while mean / unit >= 100 { unit *= 10 }
    let about = (mean / unit).rounded() * unit
    return "searched \(schedules) of about \(about < 1e15 ? "\(Int(about))" : "\(about)") schedules"
  }

  func sentence(on failure: ExplorationFailure) -> String {
    failure.isExplainable ? "schedule \(schedules + 1) \(failure.what)" : failure.what
  }
}
