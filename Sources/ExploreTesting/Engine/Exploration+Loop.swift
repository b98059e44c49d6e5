/// Judges a run: it may add a reason for a failure, or take the run's own reason away.
typealias Judge = (Exploration.Run, ExplorationFailure.Reason?) -> ExplorationFailure.Reason?

extension Exploration {
  /// What the runs of an exploration have come to.
  struct LoopResult: Sendable {
    var account = ExplorationAccount()
    /// The failures, each of another kind, and the run of each; no run where all fail together.
    var failures: [(failure: ExplorationFailure, run: FinishedRun?)] = []
    var failure: ExplorationFailure? { failures.first?.failure }
    var failed: FinishedRun? { failures.first?.run }
    /// The run that the environment has asked for.
    var asked: FinishedRun?
  }

  /// Runs one plan after another until runs have failed in so many ways.
  ///
  /// After the first failure it makes at most a thousand runs more, which take at most five seconds.
  func loop(
    over source: inout some PlanSource, upTo limit: Int = 1, in context: TestContext, judge: Judge,
    _ scenario: @escaping @Sendable () async throws -> Void
  ) async -> LoopResult {
    var result = LoopResult()
    var jobs = 0
    var last: FinishedRun?
    var exploration = self
    var rest = Int.max
    // Of the runs alone: between them other tests have the thread.
    var time = Duration.seconds(5)
    let replayed = ReplayEnvironment(variable: environmentVariable).seed
    while !Task.isCancelled, rest > 0, time > .zero, var plan = source.next(after: last) {
      rest -= 1
      let start = result.failures.isEmpty ? nil : ContinuousClock.now
      // Written down from the start, so that the one run is enough, also for one that ends the process.
      if plan.number == replayed { plan.recorder = RunRecorder() }
      let finished = await exploration.run(plan, in: context, scenario)
      result.account.add(finished.run.account)
      if plan.recorder != nil { result.asked = finished }
      var failure = failure(of: finished, judge)
      if runsTwice, failure == nil {
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
        exploration.patience = min(patience, .milliseconds(50))
      }
      last = finished
      // Other tests get the thread now and then. A run may take a microsecond, and a yield takes as long.
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

  /// The failure of a run, issues and foreign work included.
  func failure(of finished: FinishedRun, _ judge: Judge) -> ExplorationFailure? {
    let run = finished.run
    guard !Task.isCancelled else { return nil }
    var reason = judge(run, run.failure?.reason)
    if case .threw(let error)? = reason, finished.plan.cancelsAfter != nil,
      error is CancellationError
    {
      reason = nil
    }
    if reason == nil, run.account.hasForeignWork, !allowing.contains(.foreignWork) {
      reason = .foreignWork(run.account)
    }
    return reason.map { ExplorationFailure(seed: finished.plan.seed, reason: $0, trace: run.trace) }
  }

  /// The failure of a seed that goes another way when it is run again.
  private func difference(of first: FinishedRun, _ second: FinishedRun) -> ExplorationFailure? {
    guard !Task.isCancelled else { return nil }
    let place =
      first.run.trace.difference(to: second.run.trace)
      ?? (first.run.account.fingerprint == second.run.account.fingerprint
        ? nil : "other tasks had its jobs")
    return place.map {
      ExplorationFailure(seed: first.plan.seed, reason: .differs($0), trace: second.run.trace)
    }
  }

  /// The failure of all runs together: that none had a choice, or that they slept by clocks that are not the run's.
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
