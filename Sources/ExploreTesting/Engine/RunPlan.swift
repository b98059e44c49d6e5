/// The instructions for one run.
struct RunPlan: Sendable {
  let seed: UInt64
  /// The number that selects the run in `EXPLORE_SEED`: its seed, or its position in a search.
  var number: UInt64
  private(set) var chooser: Chooser
  /// Records the run for a report; `nil` if no report needs it.
  var recorder: RunRecorder?
  /// Whether the run collects its forced switches even without a recorder.
  var isRecorded = false
  /// The number of jobs after which the scenario is cancelled; `nil` for never.
  var cancelsAfter: Int?

  /// Plans a run with a chooser, which decides the schedule.
  init(seed: UInt64, _ chooser: Chooser) {
    self.seed = seed
    number = seed
    self.chooser = chooser
  }

  /// Returns a plan of the same run with these forced switches.
  func following(_ switches: [ForcedSwitch]) -> RunPlan {
    taking(Chooser(following: switches, isMixed: chooser.isMixed))
  }

  /// Returns a plan of the same run with another chooser.
  func taking(_ chooser: Chooser) -> RunPlan {
    var plan = self
    plan.chooser = chooser
    plan.isRecorded = true
    return plan
  }
}

/// A run with its plan and the schedule that it took.
struct FinishedRun: Sendable {
  let plan: RunPlan
  let run: Exploration.Run
  let schedule: Schedule
  /// How long the run took; zero unless `isRecorded` is `true` in the plan.
  let duration: Duration

  /// A plan that repeats the run.
  var again: RunPlan { plan.isRecorded ? plan.following(schedule.taken) : plan }
}
