/// Plans the runs of an exploration.
protocol PlanSource: Sendable {
  /// Plans the next run.
  ///
  /// - Parameter last: The previous run; `nil` at the start.
  /// - Returns: The plan; `nil` after the last run.
  mutating func next(after last: FinishedRun?) -> RunPlan?

  /// Describes a failure of one of the runs.
  func sentence(on failure: ExplorationFailure) -> String

  /// Whether all runs have taken place; read only after the runs.
  ///
  /// A condition of `sometimes` that no run met fails the exploration only if this is `true`.
  var isComplete: Bool { get }
}

/// Plans one run for each seed.
struct SeedPlans: PlanSource {
  private let exploration: Exploration
  private var rest: Slice<ClosedRange<UInt64>>
  /// Whether `EXPLORE_SEED` asks for a single seed.
  let isReplay: Bool

  /// Plans the seeds of an exploration, or only the seed that the environment asks for.
  init(_ exploration: Exploration) {
    let only = ReplayEnvironment.current().seed
    self.exploration = exploration
    isReplay = only != nil
    rest = (only.map { $0...$0 } ?? 0...UInt64(exploration.seeds) - 1)[...]
  }

  mutating func next(after last: FinishedRun?) -> RunPlan? {
    guard let seed = rest.popFirst() else { return nil }
    return RunPlan(
      seed: seed,
      Chooser(exploration.strategy, seed: seed, interrupts: exploration.interrupts))
  }

  func sentence(on failure: ExplorationFailure) -> String { "\(failure)" }
  var isComplete: Bool { !isReplay }
}
