/// The shortest schedule of a failure that was found, step by step.
struct Explanation: Sendable {
  let failure: ExplorationFailure
  /// The forced switches of the schedule.
  let switches: [ForcedSwitch]
  /// Whether all schedules with fewer forced switches were run, and pass.
  var isFewest = false
  /// The run of the schedule, written down.
  let run: RecordedRun
  /// Whether the seed failed again when it was repeated.
  let isReproduced: Bool

  /// The schedule in words; for a run that stalled, also which task waits for which.
  var text: String {
    guard isReproduced else {
      return
        "The run went otherwise when it was repeated: something in it does not follow the seed."
    }
    return "\(headline)\n\n\(LaneReport(run: run).text(of: failure))"
  }
}

extension LaneReport {
  /// The report; for a run that stalled, also which task waits for which.
  func text(of failure: ExplorationFailure) -> String {
    guard case .stalled = failure.reason, !waits.isEmpty else { return description }
    return "\(description)\n\nWho waits for whom:\n"
      + waits.map { "  \($0)" }.joined(separator: "\n")
  }
}

extension Explanation {
  /// A sentence on the number of forced switches, and whether fewer can fail.
  private var headline: String {
    if switches.isEmpty {
      return "It fails without any forced switch: each task goes on as long as it can."
    }
    let count = "\(switches.count) forced switch\(switches.count == 1 ? "" : "es") (>)"
    return isFewest
      ? "The shortest schedule that fails has \(count):"
      : "The shortest schedule found has \(count); not all with fewer were tried:"
  }
}

extension Exploration {
  /// Finds the shortest schedule that fails as this run did.
  func explain(
    _ failure: ExplorationFailure, measure: ScenarioMeasure, in context: TestContext,
    hasIssue: @escaping () -> Bool, _ scenario: @escaping @Sendable () async throws -> Void
  ) async -> Explanation {
    let plan = RunPlan(seed: failure.seed, strategy: strategy, measure: measure)
    return await explain(failure, plan, in: context, hasIssue: hasIssue, scenario)
  }

  /// Finds the shortest schedule that fails as this one did.
  func explain(
    _ failure: ExplorationFailure, following switches: [ForcedSwitch], in context: TestContext,
    hasIssue: @escaping () -> Bool, _ scenario: @escaping @Sendable () async throws -> Void
  ) async -> Explanation {
    let plan = RunPlan(seed: failure.seed, following: switches)
    return await explain(failure, plan, in: context, hasIssue: hasIssue, scenario)
  }

  private func explain(
    _ failure: ExplorationFailure, _ plan: RunPlan, in context: TestContext,
    hasIssue: @escaping () -> Bool, _ scenario: @escaping @Sendable () async throws -> Void
  ) async -> Explanation {
    var exploration = self
    let recorder = RunRecorder()
    var plan = plan
    plan.recorder = recorder
    _ = hasIssue()
    let (run, schedule) = await exploration.run(plan, in: context, scenario)
    // A run without foreign work is not woken from outside, so its repetitions need not wait for that.
    exploration.patience = run.account.hasForeignWork ? min(patience, .milliseconds(50)) : .zero
    guard exploration.fails(run, like: failure, hasIssue) else {
      return Explanation(failure: failure, switches: [], run: recorder.run, isReproduced: false)
    }
    var shrinker = exploration.shrinker(for: failure, in: context, hasIssue, scenario)
    let shortest = await shrinker.shrink(schedule.switches)
    let last = RunRecorder()
    var final = RunPlan(seed: failure.seed, following: shortest.switches)
    final.recorder = last
    let (again, _) = await exploration.run(final, in: context, scenario)
    guard exploration.fails(again, like: failure, hasIssue) else {
      return Explanation(
        failure: failure, switches: schedule.switches, run: recorder.run, isReproduced: true)
    }
    return Explanation(
      failure: failure, switches: shortest.switches, isFewest: shortest.isFewest, run: last.run,
      isReproduced: true)
  }

  /// Whether a run fails for the same kind of reason.
  func fails(
    _ run: Run, like failure: ExplorationFailure, _ hasIssue: () -> Bool
  ) -> Bool {
    self.failure(of: run, seed: failure.seed, hasIssue: hasIssue)?.reason.kind
      == failure.reason.kind
  }

  private func shrinker(
    for failure: ExplorationFailure, in context: TestContext, _ hasIssue: @escaping () -> Bool,
    _ scenario: @escaping @Sendable () async throws -> Void
  ) -> Shrinker {
    Shrinker { switches in
      var plan = RunPlan(seed: failure.seed, following: switches)
      plan.isRecorded = true
      let (run, schedule) = await self.run(plan, in: context, scenario)
      return Shrinker.Attempt(
        fails: fails(run, like: failure, hasIssue), met: schedule.script.met,
        alternatives: schedule.alternatives, account: run.account)
    }
  }
}
