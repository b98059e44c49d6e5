/// The instructions for one run.
struct RunPlan {
  let seed: UInt64
  let chooser: Chooser
  /// Writes the run down for a report; `nil` if no report needs it.
  var recorder: RunRecorder?
  /// Whether the run measures the scenario.
  var isMeasured = false
  /// Whether the forced switches of the run are collected.
  var isRecorded = false
  /// After how many jobs the scenario is cancelled; `nil` for never.
  var cancelsAfter: Int?

  /// A run that is drawn from its seed.
  init(seed: UInt64, strategy: ExplorationStrategy, measure: ScenarioMeasure) {
    self.seed = seed
    chooser = Chooser(strategy, seed: seed, measure: measure)
  }

  /// A run that follows a schedule.
  init(seed: UInt64, following switches: [ForcedSwitch]) {
    self.seed = seed
    chooser = Chooser(following: switches)
  }

  /// A run of an exhaustive search.
  init(seed: UInt64, searching cursor: SearchCursor) {
    self.seed = seed
    chooser = Chooser(searching: cursor)
  }
}
