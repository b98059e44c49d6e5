internal import ExploreSeam

/// Runs a scenario once for each seed, and returns the result instead of recording an issue.
///
/// ``explore(seeds:strategy:jobLimit:patience:allowing:leavesNothing:sourceLocation:_:)`` does the same, and records an issue
/// if a run fails. Use this type if your test itself checks the result:
/// ```swift
/// let failure = await Exploration(seeds: 500).firstFailure { try await brokenScenario() }
/// #expect(failure != nil)
/// ```
/// If you cancel the task that calls one of the methods, the scenario is cancelled and the run has no failure. The runs take
/// place on the caller's thread.
public struct Exploration: Sendable {
  /// The number of seeds to run, starting at seed 0; at least 1.
  public var seeds: Int { didSet { Self.require(seeds: seeds) } }
  /// How the next job is chosen.
  public var strategy: ExplorationStrategy
  /// The number of jobs after which a run counts as endless; at least 1.
  public var jobLimit: Int { didSet { Self.require(jobLimit: jobLimit) } }
  /// How long, in real time, a run with no ready job waits for uncontrolled code before the run counts as stalled.
  public var patience: Duration
  /// Conditions that do not fail the test, such as foreign work.
  public var allowing: ExplorationAllowances

  /// Whether an actor runs its jobs in the order in which they arrived.
  ///
  /// By default the seed also decides this order, because the runtime does not guarantee one: a task of higher priority may
  /// overtake another. In practice the runtime swaps two calls of equal priority only if they come from different threads. Set
  /// this property to `true` if your code relies on the order of arrival.
  public var fifoActors = false
  /// Whether, in every run, other jobs may interrupt a job in the middle.
  ///
  /// By default, only a quarter of the seeds of ``ExplorationStrategy/mixed`` do this; see <doc:WhatExploreControls>.
  public var interrupts = false
  /// Whether the seed also decides how long a sleep takes.
  ///
  /// By default, a sleep takes exactly as long as the code says, so the shorter of two sleeps that simulate work always ends
  /// first. If this is `true`, a sleep on a standard clock takes between an eighth of its length and eight times its length.
  /// Timeouts are sleeps, too, so use this property only if the scenario does not rely on which of two sleeps is shorter.
  public var variesDurations = false
  /// Whether a run fails if one of its tasks is still waiting or sleeping when the scenario has returned.
  public var leavesNothing = false
  /// Whether each seed runs twice; the test fails if the second run takes a different path.
  ///
  /// In that case, the scenario depends on something other than the seed, such as state that outlives a run, a clock or a C
  /// random number generator, or the order of addresses.
  public var runsTwice = false

  /// Whether a run that ends its process, for example with a trap, fails only this test, so that other tests continue.
  ///
  /// The exploration first runs in a separate process: this program, started again with only this test. If a signal or a call to
  /// `exit` ends that process, the kit starts further processes to shorten the schedule, and the test reports the schedule with
  /// its lanes. `EXPLORE_TRAPS=1` in the environment sets this property for all explorations. The property works only on Linux,
  /// with `explore`, and in Swift Testing tests that have no arguments.
  ///
  /// ```swift
  /// var exploration = Exploration(seeds: 1_000)
  /// exploration.survivesTraps = true
  /// await explore(exploration) { try await scenario() }
  /// ```
  public var survivesTraps = false

  /// Whether the scenario is a test function, which must return because its closure is valid only during one call of the trait.
  ///
  /// A test function that never has a choice gets a warning instead of a failure.
  var isLent = false
  /// Whether other jobs may also run at the preemption points in this package's own code.
  package var preemptsPackage = false

  /// The result of one run.
  public struct Run: Sendable {
    /// The choices of the run.
    public let trace: ExplorationTrace
    /// The counts of the run.
    public let account: ExplorationAccount
    /// The failure of the run; `nil` if it passed or was cancelled.
    public let failure: ExplorationFailure?
  }

  /// The result of all runs.
  public struct Outcome: Sendable {
    /// The first failure; `nil` if all runs passed or the exploration was cancelled.
    public let failure: ExplorationFailure?
    /// The counts of all runs.
    public let account: ExplorationAccount
  }

  /// Creates an exploration.
  ///
  /// - Parameters:
  ///   - seeds: The number of seeds to run, starting at seed 0; at least 1.
  ///   - strategy: How the next job is chosen.
  ///   - jobLimit: The number of jobs after which a run counts as endless; at least 1.
  ///   - patience: How long, in real time, a run with no ready job waits for code that the exploration does not control,
  ///     before the run counts as stalled.
  ///   - allowing: Conditions that do not fail the test, such as foreign work.
  public init(
    seeds: Int = 1_000, strategy: ExplorationStrategy = .mixed, jobLimit: Int = 100_000,
    patience: Duration = .seconds(1), allowing: ExplorationAllowances = []
  ) {
    Self.require(seeds: seeds)
    Self.require(jobLimit: jobLimit)
    self.seeds = seeds
    self.strategy = strategy
    self.jobLimit = jobLimit
    self.patience = patience
    self.allowing = allowing
  }

  private static func require(seeds: Int) {
    precondition(seeds >= 1, "Exploration.seeds: needs at least 1 seed; got \(seeds)")
  }

  private static func require(jobLimit: Int) {
    precondition(jobLimit >= 1, "Exploration.jobLimit: needs at least 1 job; got \(jobLimit)")
  }

  /// The task executor of the exploration that the current task belongs to; `nil` outside an exploration.
  ///
  /// If the exploration does not control `Task { }`, start a task with this executor to explore it:
  /// `Task(executorPreference: Exploration.executor) { … }`.
  public static var executor: (any TaskExecutor)? { Exploring.run }

  /// The seed of the run that the current code belongs to; `nil` outside an exploration.
  ///
  /// ```swift
  /// var generator = SeededGenerator(seed: Exploration.seed ?? 0)   // different input in each run
  /// ```
  public static var seed: UInt64? { Explorer.current?.seed }

  /// Runs the scenario once for each seed, until a run fails.
  ///
  /// If the environment has `EXPLORE_SEED`, only that seed runs.
  ///
  /// - Parameter scenario: The code that each seed runs; it should create all objects that it uses.
  /// - Returns: The first failure; `nil` if all runs passed or the task was cancelled. An issue that the scenario records belongs
  ///   to the test and is not a failure here.
  public func firstFailure(
    _ scenario: @escaping @Sendable () async throws -> Void
  ) async -> ExplorationFailure? {
    await outcome(scenario).failure
  }

  /// Runs the scenario once for each seed, until a run fails, and also returns the counts of the runs.
  ///
  /// If the environment has `EXPLORE_SEED`, only that seed runs.
  ///
  /// - Parameter scenario: The code that each seed runs; it should create all objects that it uses.
  /// - Returns: The first failure and the counts. An issue that the scenario records belongs to the test and is not a
  ///   failure here.
  public func outcome(_ scenario: @escaping @Sendable () async throws -> Void) async -> Outcome {
    let context = TestContext()
    defer { context.end() }
    var seeds = SeedPlans(self)
    let result = await loop(over: &seeds, in: context, judge: { $1 }, scenario)
    return Outcome(failure: result.failure, account: result.account)
  }

  /// Runs the scenario once, with one seed.
  ///
  /// - Parameters:
  ///   - seed: The seed to run.
  ///   - scenario: The code to run.
  /// - Returns: The result of the run. Foreign work is counted and is not a failure here.
  public func run(
    seed: UInt64, _ scenario: @escaping @Sendable () async throws -> Void
  ) async -> Run {
    let context = TestContext()
    defer { context.end() }
    let plan = RunPlan(seed: seed, Chooser(strategy, seed: seed, interrupts: interrupts))
    let run = await run(plan, in: context, scenario).run
    // Without this yield, a caller that loops over seeds would keep other tests from using this thread.
    await Task.yield()
    return run
  }
}
