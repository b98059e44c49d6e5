internal import ExploreSeam

/// Runs a scenario once for each seed, and gives the result to the test.
///
/// ``explore(seeds:strategy:jobLimit:patience:allowing:leavesNothing:sourceLocation:_:)`` does the same and records an issue
/// if a run fails. Use this type if the test is to judge the runs:
/// ```swift
/// let failure = await Exploration(seeds: 500).firstFailure { try await brokenScenario() }
/// #expect(failure != nil)
/// ```
/// When the task that asked for a run is cancelled, the scenario is cancelled, and the run has no failure.
/// The runs take place on the thread of the caller.
public struct Exploration: Sendable {
  /// The number of seeds that are run: 0, 1, 2 and so on.
  public var seeds: Int
  /// The rule by which the next job is chosen.
  public var strategy: ExplorationStrategy
  /// How many jobs a run may take before it counts as endless.
  public var jobLimit: Int
  /// How long a run in which nothing is ready waits, in real time, for code that the exploration does not
  /// control, before it counts as stalled.
  public var patience: Duration
  /// Properties of the exploration that are no failure.
  public var allowing: ExplorationAllowances

  /// Whether the jobs of an actor run in the order in which they came to it.
  ///
  /// By default the run draws that order, too: the runtime promises none, since tasks have priorities. But it swaps
  /// two calls of equal priority only where they come from different threads. Set this where code relies on
  /// that, and the order that it is tested in should be one that production has.
  public var fifoActors = false
  /// Whether other jobs may come where code creates or resumes a task, unlocks a lock, or is about to wait, in each run.
  ///
  /// By default they may with a quarter of the seeds of ``ExplorationStrategy/mixed``, and with no other strategy; see
  /// <doc:WhatExploreControls>.
  public var interrupts = false
  /// Whether the lengths of sleeps are drawn from the seed, too.
  ///
  /// A sleep that stands in for work takes as long as the test says, and so always wakes before, or after, the others. With this
  /// each sleep on a clock of the standard library takes from an eighth of its length to eight times as much. Timeouts are
  /// sleeps, too: take it where no test relies on which of two is shorter.
  public var variesDurations = false
  /// Whether a task that is still waiting when the scenario has returned fails the run.
  public var leavesNothing = false
  /// Whether each run is made twice, and fails where the second one goes another way.
  ///
  /// Then something in the scenario does not follow the seed: state that outlives a run, a clock or a generator of C, the order
  /// of addresses.
  public var runsTwice = false

  /// Whether a run that ends its process, as a trap does, is a failure of this test, and the others go on.
  ///
  /// The runs are made in a process of their own first: this program once more, with this test alone, up to the exploration. If a
  /// signal ends that one, the schedule is made shorter in further processes, and reported with its lanes. `EXPLORE_TRAPS=1` in the
  /// environment asks for it in all explorations. It needs Linux, and a test of Swift Testing without arguments; elsewhere it has no
  /// effect.
  ///
  /// ```swift
  /// var exploration = Exploration(seeds: 1_000)
  /// exploration.survivesTraps = true
  /// await explore(exploration) { try await scenario() }
  /// ```
  public var survivesTraps = false

  /// Whether the scenario is a test function, which is only lent, so that it has to return.
  ///
  /// That it has no choice is no failure then, but worth a remark.
  var isLent = false
  /// Whether jobs may also change at the preemption points of this package.
  package var preemptsPackage = false

  /// The result of one run.
  public struct Run: Sendable {
    /// The choices of the run.
    public let trace: ExplorationTrace
    /// The counts of the run.
    public let account: ExplorationAccount
    /// The failure of the run; `nil` if it passed, or was cancelled.
    public let failure: ExplorationFailure?
  }

  /// The result of all runs.
  public struct Outcome: Sendable {
    /// The first failure; `nil` if all runs passed, or the exploration was cancelled.
    public let failure: ExplorationFailure?
    /// The counts of all runs.
    public let account: ExplorationAccount
  }

  /// Creates an exploration.
  ///
  /// - Parameters:
  ///   - seeds: How many seeds are run, from 0; not negative.
  ///   - strategy: The rule by which the next job is chosen.
  ///   - jobLimit: How many jobs a run may take before it counts as endless; at least 1.
  ///   - patience: How long a run in which nothing is ready waits, in real time, for code that the
  ///     exploration does not control, before it counts as stalled.
  ///   - allowing: Properties of the exploration that are no failure.
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
  /// On a platform where explorations do not control `Task { }`, start a task with this executor to have
  /// it explored: `Task(executorPreference: Exploration.executor) { … }`.
  public static var executor: (any TaskExecutor)? { Exploring.run }

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
  /// - Parameter scenario: The code that each seed runs; it should make all objects that it uses.
  /// - Returns: The first failure; `nil` if all runs passed. An issue that the scenario records is recorded
  ///   for the test and is no failure here.
  public func firstFailure(
    _ scenario: @escaping @Sendable () async throws -> Void
  ) async -> ExplorationFailure? {
    await outcome(scenario).failure
  }

  /// Runs the seeds until one fails, and counts the runs.
  ///
  /// Where the environment has `EXPLORE_SEED`, that seed is the only one.
  ///
  /// - Parameter scenario: The code that each seed runs; it should make all objects that it uses.
  /// - Returns: The first failure and the counts. An issue that the scenario records is recorded for the
  ///   test and is no failure here.
  public func outcome(_ scenario: @escaping @Sendable () async throws -> Void) async -> Outcome {
    let context = TestContext()
    defer { context.end() }
    var seeds = SeedPlans(self)
    let result = await loop(over: &seeds, in: context, judge: { $1 }, scenario)
    return Outcome(failure: result.failure, account: result.account)
  }

  /// Runs one seed, once.
  ///
  /// - Parameters:
  ///   - seed: The seed to run.
  ///   - scenario: The code that is run.
  /// - Returns: The result of the run. Foreign work is counted, and is no failure here.
  public func run(
    seed: UInt64, _ scenario: @escaping @Sendable () async throws -> Void
  ) async -> Run {
    let context = TestContext()
    defer { context.end() }
    let plan = RunPlan(seed: seed, Chooser(strategy, seed: seed, interrupts: interrupts))
    let run = await run(plan, in: context, scenario).run
    // A loop over seeds must not keep other tests from this thread.
    await Task.yield()
    return run
  }
}
