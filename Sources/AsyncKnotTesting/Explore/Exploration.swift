internal import AsyncKnot
internal import Synchronization

/// Runs a scenario on a seeded executor, once a seed.
///
/// ``explore(seeds:strategy:jobLimit:patience:sourceLocation:_:)`` is this with issues recorded.
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

  /// Creates an exploration.
  ///
  /// - Parameters:
  ///   - seeds: How many seeds are run.
  ///   - strategy: How the next job is chosen.
  ///   - jobLimit: How many jobs a run may take.
  ///   - patience: How long a run with nothing ready waits for main-actor code and other executors.
  public init(
    seeds: Int = 1_000, strategy: ExplorationStrategy = .uniform, jobLimit: Int = 100_000,
    patience: Duration = .seconds(1)
  ) {
    precondition(seeds >= 0, "explore(seeds:): needs a count of at least 0; got \(seeds)")
    precondition(jobLimit >= 1, "explore(jobLimit:): needs room for a job; got \(jobLimit)")
    self.seeds = seeds
    self.strategy = strategy
    self.jobLimit = jobLimit
    self.patience = patience
  }

  /// The executor of the exploration that the current task belongs to; `nil` outside of one.
  ///
  /// An unstructured task does not inherit it. One that is to be explored is started with it:
  /// `Task(executorPreference: Exploration.executor) { … }`.
  public static var executor: (any TaskExecutor)? { Spawn.executor }

  /// Runs the seeds until one fails.
  ///
  /// - Parameter scenario: What is run for each seed; it should build all it needs itself.
  /// - Returns: The first failure, or `nil`. Issues that the scenario records are not seen here.
  public func firstFailure(
    _ scenario: @escaping @Sendable () async throws -> Void
  ) async -> ExplorationFailure? {
    await firstFailure(only: nil, hasIssue: { false }, scenario)
  }

  /// Runs one seed.
  ///
  /// - Parameters:
  ///   - seed: The seed to run.
  ///   - scenario: What is run.
  /// - Returns: What was chosen and what went wrong.
  public func run(
    seed: UInt64, _ scenario: @escaping @Sendable () async throws -> Void
  ) async -> Run {
    var length = 0
    if seed != 0, needsMeasure { length = await run(0, length: 0, scenario).trace.decisions }
    return await run(seed, length: length, scenario)
  }

  func firstFailure(
    only seed: UInt64?, hasIssue: () -> Bool,
    _ scenario: @escaping @Sendable () async throws -> Void
  ) async -> ExplorationFailure? {
    var list = seed.map { $0..<$0 + 1 } ?? 0..<UInt64(seeds)
    var length = 0
    if needsMeasure, let first = list.first {
      let run = await run(0, length: 0, scenario)
      if let failure = failure(of: run, seed: 0, hasIssue: hasIssue) { return failure }
      length = run.trace.decisions
      if first == 0 { list = list.dropFirst() }
    }
    for seed in list {
      guard !Task.isCancelled else { return nil }
      let run = await run(seed, length: length, scenario)
      if let failure = failure(of: run, seed: seed, hasIssue: hasIssue) { return failure }
      // The thread is lent for one run at a time.
      await Task.yield()
    }
    return nil
  }

  /// Seed 0 then runs without change points and shows how long the scenario is.
  private var needsMeasure: Bool {
    if case .pct(_, jobs: nil) = strategy { true } else { false }
  }

  private func failure(of run: Run, seed: UInt64, hasIssue: () -> Bool) -> ExplorationFailure? {
    if let failure = run.failure { return failure }
    return hasIssue() ? ExplorationFailure(seed: seed, reason: .issue, trace: run.trace) : nil
  }
}
