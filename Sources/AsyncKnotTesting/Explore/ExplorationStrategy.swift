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
}
