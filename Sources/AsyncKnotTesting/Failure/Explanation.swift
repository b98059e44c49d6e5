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

extension Explanation {
  /// The schedule as a page; `nil` if there is none.
  func page(_ title: String) -> String? {
    isReproduced ? SchedulePage(title: title, report: LaneReport(run: run)).text : nil
  }
}

extension LaneReport {
  /// The report; for a run that stalled, also which task waits for which.
  func text(of failure: ExplorationFailure) -> String {
    switch failure.reason {
    case .stalled, .leftTasks: if waits.isEmpty { return description }
    default: return description
    }
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
  /// Finds the shortest schedule that fails as a run did.
  func explain(
    _ failure: ExplorationFailure, of failed: FinishedRun, in context: TestContext,
    judge: @escaping Judge, _ scenario: @escaping @Sendable () async throws -> Void
  ) async -> Explanation {
    var exploration = self
    func attempt(_ plan: RunPlan, _ recorder: RunRecorder?) async -> (FinishedRun, fails: Bool) {
      var plan = plan
      plan.recorder = recorder
      let finished = await exploration.run(plan, in: context, scenario)
      let kind = exploration.failure(of: finished, judge)?.reason.kind
      return (finished, fails: kind == failure.reason.kind)
    }
    let recorder = RunRecorder()
    let (first, isReproduced) = await attempt(failed.again, recorder)
    // A run without foreign work is not woken from outside, so its repetitions need not wait for that.
    exploration.patience =
      first.run.account.hasForeignWork ? min(patience, .milliseconds(50)) : .zero
    var result = Explanation(
      failure: failure, switches: first.schedule.taken, run: recorder.run,
      isReproduced: isReproduced)
    guard isReproduced else { return result }
    var shrinker = Shrinker { switches in
      let (finished, fails) = await attempt(failed.plan.following(switches), nil)
      return Shrinker.Attempt(
        fails: fails, met: finished.schedule.script.met,
        alternatives: finished.schedule.alternatives, account: finished.run.account)
    }
    let shortest = await shrinker.shrink(first.schedule.taken)
    let last = RunRecorder()
    if await attempt(failed.plan.following(shortest.switches), last).fails {
      result = Explanation(
        failure: failure, switches: shortest.switches, isFewest: shortest.isFewest, run: last.run,
        isReproduced: true)
    }
    return result
  }
}
