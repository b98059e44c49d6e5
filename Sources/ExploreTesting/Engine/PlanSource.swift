/// Says which run of an exploration comes next.
protocol PlanSource: Sendable {
  /// The next run; `nil` where there is none.
  ///
  /// - Parameter last: The run before, which has passed; `nil` at the start.
  /// - Returns: The plan of the run.
  mutating func next(after last: FinishedRun?) -> RunPlan?

  /// A sentence on a failure.
  func sentence(on failure: ExplorationFailure) -> String

  /// Whether all runs were made, so that what no run has met counts.
  var isComplete: Bool { get }
}

/// One run for each seed.
struct SeedPlans: PlanSource {
  private let exploration: Exploration
  private var rest: Slice<ClosedRange<UInt64>>?
  /// Whether one seed is repeated.
  let isReplay: Bool

  /// The seeds of an exploration, or the one seed that the environment asks for.
  init(_ exploration: Exploration) {
    let only = ReplayEnvironment(variable: environmentVariable).seed
    self.exploration = exploration
    isReplay = only != nil
    let last = UInt64(exploration.seeds) &- 1
    rest = (only.map { $0...$0 } ?? (exploration.seeds == 0 ? nil : 0...last))?[...]
  }

  mutating func next(after last: FinishedRun?) -> RunPlan? {
    guard let seed = rest?.popFirst() else { return nil }
    return RunPlan(
      seed: seed,
      Chooser(exploration.strategy, seed: seed, interrupts: exploration.interrupts))
  }

  func sentence(on failure: ExplorationFailure) -> String { "\(failure)" }
  var isComplete: Bool { !isReplay }
}
