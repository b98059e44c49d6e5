/// The shortest schedule of a failure that was found, step by step.
struct Explanation: Sendable {
  /// The forced switches of the schedule.
  let switches: [ForcedSwitch]
  /// Whether all schedules with fewer forced switches were run, and pass.
  var isFewest = false
  /// The run of the schedule.
  let report: LaneReport

  /// A sentence on the number of forced switches, and whether fewer can fail.
  var headline: String {
    if switches.isEmpty {
      return "It fails without any forced switch: each task goes on as long as it can."
    }
    let count = "\(switches.count) forced switch\(switches.count == 1 ? "" : "es") (>)"
    return isFewest
      ? "The shortest schedule that fails has \(count):"
      : "The shortest schedule found has \(count); not all with fewer were tried:"
  }
}

extension LaneReport {
  /// The report; for a run that stalled, also which task waits for which.
  func text(of failure: ExplorationFailure) -> String {
    switch failure.reason {
    case .stalled, .leftTasks:
      "\(description)\n\nWho waits for whom:\n" + waits.map { "  \($0)" }.joined(separator: "\n")
    default: description
    }
  }
}

extension Exploration {
  /// Finds the shortest schedule that fails as a run did.
  ///
  /// - Returns: The schedule; `nil` if the run went otherwise when it was repeated.
  func explain(
    _ failure: ExplorationFailure, of failed: FinishedRun, in context: TestContext,
    judge: @escaping Judge, _ scenario: @escaping @Sendable () async throws -> Void
  ) async -> Explanation? {
    var exploration = self
    func attempt(_ plan: RunPlan, _ recorder: RunRecorder?) async -> (FinishedRun, fails: Bool) {
      var plan = plan
      plan.recorder = recorder
      plan.isRecorded = true
      let finished = await exploration.run(plan, in: context, scenario)
      let kind = exploration.failure(of: finished, judge)?.reason.kind
      return (finished, fails: kind == failure.reason.kind)
    }
    // A run without foreign work is not woken from outside, so its repetitions need not wait for that.
    exploration.patience =
      failed.run.account.hasForeignWork ? min(patience, .milliseconds(50)) : .zero
    let (first, isReproduced) = await attempt(failed.again, nil)
    guard isReproduced else { return nil }
    // Two more such runs are written down, which takes longer.
    let budget = Duration.seconds(10) - first.duration * 4
    var shrinker = Shrinker(failed.plan, budget: budget) { await attempt($0, nil) }
    let (shortest, isFewest) = await shrinker.shrink(first.schedule)
    for (schedule, isFewest) in [(shortest, isFewest), (first.schedule, false)] {
      let recorder = RunRecorder(jobs: schedule.trace.jobs)
      if await attempt(failed.plan.following(schedule.taken), recorder).fails {
        return Explanation(
          switches: schedule.taken, isFewest: isFewest, report: LaneReport(run: recorder.run))
      }
    }
    return nil
  }
}
