/// How an exploration chooses the job that runs next.
///
/// ```swift
/// await explore(seeds: 1_000, strategy: .pct(depth: 3)) { … }
/// ```
public enum ExplorationStrategy: Hashable, Sendable {
  /// Each ready job is equally likely, each time.
  ///
  /// Good at everything that goes wrong in many orders.
  case uniform

  /// Probabilistic concurrency testing: random priorities, lowered at a few random moments.
  ///
  /// The ready job of the highest priority always runs, so one task may run far ahead of another:
  /// such orders are rare under ``uniform``. A bug that needs `depth` ordered steps shows with
  /// a probability of at least 1 / (n·kᵈ⁻¹) a seed, for n tasks and k jobs.
  ///
  /// - `depth`: how many steps must come in one order for the bug to show; most need 1 to 3.
  /// - `jobs`: how many jobs the scenario takes, about; `nil` lets the run of seed 0 measure it.
  ///
  /// Burckhardt, Kothari, Musuvathi and Nagarakatti, *A Randomized Scheduler with Probabilistic
  /// Guarantees of Finding Bugs*, 2010. Jobs get their priority by chains of cause and effect, after
  /// Ozkan and others, *Randomized Testing of Distributed Systems with Probabilistic Guarantees*, 2018.
  case pct(depth: Int, jobs: Int? = nil)

  /// Partial order sampling: each job draws a rank when it becomes ready, and the highest rank runs.
  ///
  /// A job keeps its rank until one runs at the same actor; then those that wait there draw anew. So a
  /// job may stay behind for long, and the orders of what does not meet are not drawn twice.
  ///
  /// Yuan, Yang and Gu, *Partial Order Aware Concurrency Sampling*, 2018.
  case partialOrder

  /// A uniform walk: each task is as likely to go on as it has jobs left.
  ///
  /// The run of seed 0 measures how many that are. Choosing alike among ready tasks prefers orders in
  /// which short tasks end early; here all orders of independent tasks are alike.
  ///
  /// Zhao, Wolff, Mathur and Roychoudhury, *Selectively Uniform Concurrency Testing*, 2025.
  case uniformWalk

  /// The others in turn, by seed: ``uniform``, PCT of depth 2, ``uniformWalk``, PCT of depth 3.
  ///
  /// The default: each of them is blind to something that another one sees.
  case mixed

  /// Whether it has to know how long the scenario is.
  var needsMeasure: Bool {
    switch self {
    case .pct(_, jobs: nil), .uniformWalk: true
    case .pct, .uniform, .partialOrder, .mixed: false
    }
  }

  /// The strategy of one seed.
  func drawn(for seed: UInt64) -> ExplorationStrategy {
    guard self == .mixed else { return self }
    switch seed % 4 {
    case 0: return .uniform
    case 1: return .pct(depth: 2)
    case 2: return .uniformWalk
    default: return .pct(depth: 3)
    }
  }
}
