/// The rule by which an exploration chooses the job that runs next.
///
/// ```swift
/// await explore(seeds: 1_000, strategy: .pct(depth: 3)) {
///   let account = Account()
///   async let first: Void = account.deposit(1)
///   async let second: Void = account.deposit(1)
///   _ = await (first, second)
///   #expect(await account.balance == 2)
/// }
/// ```
/// A job is what a task does from one suspension to the next.
public enum ExplorationStrategy: Hashable, Sendable {
  /// Chooses among the ready jobs, each time, with equal probability.
  ///
  /// It finds bugs that show in many orders, and hardly ever one that needs a task to wait for long.
  case uniform

  /// Probabilistic concurrency testing: gives tasks random priorities, and lowers one at a few random
  /// moments.
  ///
  /// The ready job of the highest priority runs, so one task may run far ahead of another; such orders
  /// are rare under ``uniform``. A bug that needs `depth` ordered steps shows with
  /// a probability of at least 1 / (n·kᵈ⁻¹) a seed, for n tasks and k jobs.
  ///
  /// - `depth`: how many steps must come in one order for the bug to show; at least 1, for most bugs 1 to 3.
  /// - `jobs`: how many jobs the scenario takes, about; `nil` lets the run of seed 0 measure it.
  ///
  /// Burckhardt, Kothari, Musuvathi and Nagarakatti, *A Randomized Scheduler with Probabilistic
  /// Guarantees of Finding Bugs*, 2010. Jobs get their priority by chains of cause and effect, after
  /// Ozkan and others, *Randomized Testing of Distributed Systems with Probabilistic Guarantees*, 2018.
  case pct(depth: Int, jobs: Int? = nil)

  /// Partial order sampling: each job draws a rank when it becomes ready, and the job of the highest rank
  /// runs.
  ///
  /// When a job has run on an actor, the jobs that wait for the same actor draw a new rank; others keep
  /// theirs. So a job may wait for long, and the order of jobs on different actors is drawn only once.
  ///
  /// Yuan, Yang and Gu, *Partial Order Aware Concurrency Sampling*, 2018.
  case partialOrder

  /// A uniform walk: the probability that a task goes on is proportional to the jobs that it has left.
  ///
  /// The run of seed 0 measures how many jobs each task has. With ``uniform``, orders in which short tasks
  /// end early are more likely; here all orders of independent tasks are equally likely.
  ///
  /// Zhao, Wolff, Mathur and Roychoudhury, *Selectively Uniform Concurrency Testing*, 2025.
  case uniformWalk

  /// Takes ``uniform``, PCT of depth 2, ``uniformWalk`` and PCT of depth 3 in turn, by seed.
  ///
  /// This is the default, because each strategy misses bugs that another one finds.
  case mixed

  /// Whether a run must have measured the length of the scenario before.
  var needsMeasure: Bool {
    switch self {
    case .pct(_, jobs: nil), .uniformWalk: true
    case .pct, .uniform, .partialOrder, .mixed: false
    }
  }

  /// The strategy of one seed, which is never ``mixed``.
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
