/// How one run is to go.
struct RunPlan {
  let seed: UInt64
  let chooser: Chooser
  /// What writes it down; `nil` where nobody reads it.
  var recorder: RunRecorder?
  /// Whether it shows how long the scenario is.
  var isMeasured = false
  /// Whether its schedule is written down.
  var isRecorded = false
  /// After how many jobs the scenario is cancelled.
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
