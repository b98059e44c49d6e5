internal import AsyncKnot

/// Runs a scenario on a seeded executor, once a seed.
///
/// ``explore(seeds:strategy:jobLimit:patience:allowing:sourceLocation:_:)`` is this with issues recorded.
/// Use it where a test judges the runs itself:
/// ```swift
/// let failure = await Exploration(seeds: 500).firstFailure { try await brokenScenario() }
/// #expect(failure != nil)
/// ```
/// A run is cancelled with the task that asked for it.
public struct Exploration: Sendable {
  /// How many seeds are run: 0, 1, 2 and so on.
  public var seeds: Int
  /// How the next job is chosen.
  public var strategy: ExplorationStrategy
  /// How many jobs a run may take.
  public var jobLimit: Int
  /// How long a run that has nothing ready waits for work from outside before it counts as stalled.
  public var patience: Duration
  /// What is no failure here.
  public var allowing: ExplorationAllowances

  /// Whether a run also changes jobs between the critical sections of this package.
  package var preemptsPackage = false

  /// One run and how it went.
  public struct Run: Sendable {
    /// What was chosen.
    public let trace: ExplorationTrace
    /// What the run was made of.
    public let account: RunAccount
    /// What went wrong, if anything did.
    public let failure: ExplorationFailure?
  }

  /// All runs and how they went.
  public struct Outcome: Sendable {
    /// What went wrong first, if anything did.
    public let failure: ExplorationFailure?
    /// What the runs were made of.
    public let account: ExplorationAccount
  }

  /// Creates an exploration.
  ///
  /// - Parameters:
  ///   - seeds: How many seeds are run.
  ///   - strategy: How the next job is chosen.
  ///   - jobLimit: How many jobs a run may take.
  ///   - patience: How long a run with nothing ready waits for executors that it does not own.
  ///   - allowing: What is no failure here.
  public init(
    seeds: Int = 1_000, strategy: ExplorationStrategy = .mixed, jobLimit: Int = 100_000,
    patience: Duration = .seconds(1), allowing: ExplorationAllowances = []
  ) {
    precondition(seeds >= 0, "explore(seeds:): needs a count of at least 0; got \(seeds)")
    precondition(jobLimit >= 1, "explore(jobLimit:): needs room for a job; got \(jobLimit)")
    self.seeds = seeds
    self.strategy = strategy
    self.jobLimit = jobLimit
    self.patience = patience
    self.allowing = allowing
  }

  /// The executor of the exploration that the current task belongs to; `nil` outside of one.
  ///
  /// Where explorations do not own unstructured tasks, one that is to be explored is started with it:
  /// `Task(executorPreference: Exploration.executor) { … }`.
  public static var executor: (any TaskExecutor)? { Spawn.executor }

  /// The seed of the run that the current code belongs to; `nil` outside of one.
  ///
  /// ```swift
  /// var generator = SeededGenerator(seed: Exploration.seed ?? 0)   // input varies with the order
  /// ```
  public static var seed: UInt64? { Explorer.current?.seed }

  /// Runs the seeds until one fails.
  ///
  /// Where the environment has `EXPLORE_SEED`, that seed is the only one.
  ///
  /// - Parameter scenario: What is run for each seed; it should build all it needs itself.
  /// - Returns: The first failure, or `nil`. Issues that the scenario records are not seen here.
  public func firstFailure(
    _ scenario: @escaping @Sendable () async throws -> Void
  ) async -> ExplorationFailure? {
    await outcome(scenario).failure
  }

  /// Runs the seeds until one fails, and tells what was explored.
  ///
  /// Where the environment has `EXPLORE_SEED`, that seed is the only one.
  ///
  /// - Parameter scenario: What is run for each seed; it should build all it needs itself.
  /// - Returns: The first failure and the account. Issues that the scenario records are not seen here.
  public func outcome(_ scenario: @escaping @Sendable () async throws -> Void) async -> Outcome {
    let context = TestContext()
    defer { context.end() }
    let only = ReplayEnvironment(variable: environmentVariable).seed
    return await outcome(only: only, in: context, hasIssue: { false }, scenario).outcome
  }

  /// Runs one seed.
  ///
  /// - Parameters:
  ///   - seed: The seed to run.
  ///   - scenario: What is run.
  /// - Returns: What was chosen and what went wrong. Foreign work is counted, and no failure here.
  public func run(
    seed: UInt64, _ scenario: @escaping @Sendable () async throws -> Void
  ) async -> Run {
    let context = TestContext()
    defer { context.end() }
    let measure = await measure(for: seed, in: context, scenario)
    let run = await run(seed, measure: measure, in: context, scenario)
    // The thread is lent for one run at a time.
    await Task.yield()
    return run
  }
}
