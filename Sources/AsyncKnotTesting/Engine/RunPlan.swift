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
  /// Whether deadlines may come early and jobs be interrupted, in the run or in one that takes a similar schedule.
  private let isMixed: Bool

  /// A run that is drawn from its seed.
  init(seed: UInt64, strategy: ExplorationStrategy, interrupts: Bool = false) {
    self.seed = seed
    number = seed
    chooser = Chooser(strategy, seed: seed, interrupts: interrupts)
    isMixed = strategy == .mixed || interrupts
  }

  /// A run that follows a schedule.
  init(seed: UInt64, following switches: [ForcedSwitch], isMixed: Bool = true) {
    self.seed = seed
    number = seed
    chooser = Chooser(following: switches, isMixed: isMixed)
    self.isMixed = isMixed
  }

  /// A run of an exhaustive search.
  init(searching cursor: SearchCursor, number: Int) {
    seed = 0
    self.number = UInt64(number)
    chooser = Chooser(searching: cursor)
    isMixed = false
    isRecorded = true
  }

  /// The same run on another schedule.
  func following(_ switches: [ForcedSwitch]) -> RunPlan {
    var plan = RunPlan(seed: seed, following: switches, isMixed: isMixed)
    plan.isRecorded = true
    plan.cancelsAfter = cancelsAfter
    return plan
  }
}

/// A run with its plan, and the schedule that it took.
struct FinishedRun: Sendable {
  let plan: RunPlan
  let run: Exploration.Run
  let schedule: Schedule

  /// The instructions for a repetition.
  var again: RunPlan { plan.isRecorded ? plan.following(schedule.taken) : plan }
}
