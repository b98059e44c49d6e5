/// Decides why a run fails: returns the given reason, another reason, or `nil` if the run has not failed.
typealias Judge = (Exploration.Run, ExplorationFailure.Reason?) -> ExplorationFailure.Reason?

extension Exploration {
  /// The outcome of an exploration's runs.
  struct LoopResult: Sendable {
    var account = ExplorationAccount()
    /// One failure of each kind with its run; the run is `nil` if the exploration fails as a whole.
    var failures: [(failure: ExplorationFailure, run: FinishedRun?)] = []
    var failure: ExplorationFailure? { failures.first?.failure }
    var failed: FinishedRun? { failures.first?.run }
    /// The run that `EXPLORE_SEED` asks for.
    var asked: FinishedRun?
  }

  /// Runs one plan after another until `limit` kinds of failures have occurred.
  ///
  /// A failure that no single schedule shows ends the loop immediately. After any other first failure, at most 1,000 more plans
  /// run, and none starts once their runs have taken five seconds.
  func loop(
    over source: inout some PlanSource, upTo limit: Int = 1, in context: TestContext, judge: Judge,
    _ scenario: @escaping @Sendable () async throws -> Void
  ) async -> LoopResult {
    var result = LoopResult()
    var jobs = 0
    var last: FinishedRun?
    var exploration = self
    var rest = Int.max
    // Only the time of the runs counts, because other tests use the thread between them.
    var time = Duration.seconds(5)
    let replayed = ReplayEnvironment.current().seed
    while !Task.isCancelled, rest > 0, time > .zero, var plan = source.next(after: last) {
      rest -= 1
      let start = result.failures.isEmpty ? nil : ContinuousClock.now
      // A replayed run is recorded from the start, because a run that ends the process cannot be repeated for a report.
      if plan.number == replayed { plan.recorder = RunRecorder() }
      let finished = await exploration.run(plan, in: context, scenario)
      result.account.add(finished.run.account)
      if plan.recorder != nil { result.asked = finished }
      var failure = failure(of: finished, judge)
      if runsTwice, failure == nil {
        // The second run gets its own recorder, because the page shows only the first run.
        if plan.recorder != nil { plan.recorder = RunRecorder() }
        let again = await exploration.run(plan, in: context, scenario)
        failure = self.failure(of: again, judge) ?? difference(of: finished, again)
      }
      if let start { time -= start.duration(to: .now) }
      if let failure {
        let kind = failure.reason.kind
        if !result.failures.contains(where: { $0.failure.reason.kind == kind }) {
          result.failures.append((failure, finished))
        }
        guard failure.isExplainable, result.failures.count < limit else { return result }
        if start == nil { rest = 1_000 }
        exploration.patience = repeatedPatience
      }
      last = finished
      // Let other tests use the thread now and then, but not after each run, because a short run takes no longer than a yield.
      jobs += finished.run.account.jobs + 10
      if jobs >= 100 {
        jobs = 0
        await Task.yield()
      }
    }
    guard result.failures.isEmpty, source.isComplete, !Task.isCancelled else { return result }
    if let failure = context.failure ?? failure(of: result.account) {
      result.failures = [(failure, nil)]
    }
    return result
  }

  /// How long the runs after a failure wait for work from outside; less than `patience`, unless foreign work is allowed.
  var repeatedPatience: Duration {
    allowing.contains(.foreignWork) ? patience : min(patience, .milliseconds(50))
  }

  /// Returns the failure of a run; `nil` if the run has passed.
  ///
  /// In addition to the failure that `judge` returns, foreign work that is not allowed is a failure, and so is a search whose
  /// schedule cannot be repeated.
  func failure(of finished: FinishedRun, _ judge: Judge) -> ExplorationFailure? {
    let run = finished.run
    guard !Task.isCancelled else { return nil }
    var reason = judge(run, run.failure?.reason)
    if case .threw(let error)? = reason, error is CancellationError,
      let step = finished.plan.cancelsAfter, run.trace.jobs > step
    {
      reason = nil
    }
    if reason == nil, run.account.hasForeignWork, !allowing.contains(.foreignWork) {
      reason = .foreignWork(run.account)
    }
    if reason == nil, finished.schedule.chooser.cursor.hasDiverged {
      reason = .differs("a choice of an earlier schedule did not come up again")
    }
    return reason.map { ExplorationFailure(seed: finished.plan.seed, reason: $0, trace: run.trace) }
  }

  /// Returns the failure of a seed whose second run differs from its first; `nil` if they are equal.
  private func difference(of first: FinishedRun, _ second: FinishedRun) -> ExplorationFailure? {
    guard !Task.isCancelled else { return nil }
    let place =
      first.run.trace.difference(to: second.run.trace)
      ?? (first.run.account.fingerprint == second.run.account.fingerprint
        ? nil : "its choices were the same, but its jobs belonged to other tasks")
    return place.map {
      ExplorationFailure(seed: first.plan.seed, reason: .differs($0), trace: second.run.trace)
    }
  }

  /// Returns the failure of the exploration as a whole, if no run had a choice or if tasks slept while the clocks show real time.
  func failure(
    of account: ExplorationAccount, missing: [Seam] = Control.missing
  ) -> ExplorationFailure? {
    var reason: ExplorationFailure.Reason?
    if account.runs > 0, account.choices == 0, !allowing.contains(.noChoice) { reason = .noChoice }
    if account.sleeps > 0, missing.contains(.clocks), !allowing.contains(.missingSeams) {
      reason = .lacks([Seam.clocks.rawValue])
    }
    return reason.map { ExplorationFailure(seed: 0, reason: $0, trace: ExplorationTrace()) }
  }
}
