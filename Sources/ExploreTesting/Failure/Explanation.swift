/// The shortest schedule that was found for a failure, and the run that followed the schedule.
struct Explanation: Sendable {
  /// The forced switches of the schedule.
  let switches: [ForcedSwitch]
  /// Whether every shorter schedule was run, and passed; see ``Shrinker/shrink(_:)``.
  var isFewest = false
  /// The run that followed the schedule.
  let report: LaneReport

  /// Says how many faults and forced switches the schedule has, and whether a schedule with fewer may still fail.
  var headline: String {
    let (count, forced) = (switches.size.switches, switches.forcedWords)
    guard count < switches.count else {
      if count == 0 {
        return "It fails without any forced switch: each task continues as long as it can."
      }
      return isFewest
        ? "The shortest schedule that fails has \(forced):"
        : "The shortest schedule found has \(forced); not all shorter schedules were tried:"
    }
    let fewer =
      count == 0
      ? "With fewer faults and no forced switch"
      : "With fewer faults and no more forced switches, or with the same faults and fewer forced switches"
    return "It fails with \((chances + [forced]).formatted). "
      + (isFewest ? "\(fewer), it passes." : "Not all shorter schedules were tried.")
      + " The run that fails:"
  }

  /// The counts of the faults, by name, and of the calls to `choose` that did not return the default.
  private var chances: [String] {
    var names: [String] = []
    var counts: [String: Int] = [:]
    for case .happens(let words, let isFault) in report.run.steps.flatMap(\.effects) {
      let name = isFault ? words : "other choice"
      if counts[name] == nil { names.append(name) }
      counts[name, default: 0] += 1
    }
    return names.map { name in
      let count = counts[name] ?? 0
      if count == 1 { return "1 \(name)" }
      return name == "other choice" ? "\(count) other choices" : "\(count) x \(name)"
    }
  }
}

extension [String] {
  /// The strings as parts of a sentence: "a, b and c".
  fileprivate var formatted: String {
    guard let last, count > 1 else { return first ?? "" }
    return dropLast().joined(separator: ", ") + " and " + last
  }
}

extension LaneReport {
  /// Returns the lanes.
  ///
  /// If tasks were left waiting, adds a list of what each of them waits for.
  func text(of failure: ExplorationFailure) -> String {
    switch failure.reason {
    case .stalled, .leftTasks:
      "\(description)\n\nWho waits for whom:\n" + waits.map { "  \($0)" }.joined(separator: "\n")
    default: description
    }
  }
}

extension Exploration {
  /// Finds the shortest schedule with the same failure as a run.
  ///
  /// - Returns: The schedule; `nil` if the run took a different path when it was repeated.
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
    // Only foreign work can wake a run from outside, so a repetition does not wait if the run had none.
    exploration.patience = failed.run.account.hasForeignWork ? repeatedPatience : .zero
    if case .stalled = failure.reason {
      exploration.patience = min(exploration.patience, .milliseconds(50))
    }
    let (first, isReproduced) = await attempt(failed.again, nil)
    guard isReproduced else { return nil }
    // Leave time for the two recorded runs below, which are slower.
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
