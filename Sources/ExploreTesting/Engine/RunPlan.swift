/// The instructions for one run.
struct RunPlan: Sendable {
  let seed: UInt64
  /// The number by which `EXPLORE_SEED` finds the run: its seed, or its place among those of a search.
  var number: UInt64
  private(set) var chooser: Chooser
  /// Writes the run down for a report; `nil` if no report needs it.
  var recorder: RunRecorder?
  /// Whether the forced switches of the run are collected.
  var isRecorded = false
  /// After how many jobs the scenario is cancelled; `nil` for never.
  var cancelsAfter: Int?

  /// A run on the schedule that a chooser makes.
  init(seed: UInt64, _ chooser: Chooser) {
    self.seed = seed
    number = seed
    self.chooser = chooser
  }

  /// The same run on another schedule.
  func following(_ switches: [ForcedSwitch]) -> RunPlan {
    taking(Chooser(following: switches, isMixed: chooser.isMixed))
  }

  /// The same run on the schedule that a chooser makes.
  func taking(_ chooser: Chooser) -> RunPlan {
    var plan = self
    plan.chooser = chooser
    plan.isRecorded = true
    plan.recorder = nil
    return plan
  }
}

/// A run with its plan, and the schedule that it took.
struct FinishedRun: Sendable {
  let plan: RunPlan
  let run: Exploration.Run
  let schedule: Schedule
  /// How long it took; zero where its schedule is not collected.
  let duration: Duration

  /// The instructions for a repetition.
  var again: RunPlan { plan.isRecorded ? plan.following(schedule.taken) : plan }
}
