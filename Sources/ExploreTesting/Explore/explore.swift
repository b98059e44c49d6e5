public import Testing

/// Runs a scenario under many interleavings, each chosen by a seed.
///
/// ```swift
/// @Test func transfersLoseNothing() async {
///   await explore(seeds: 10_000) {
///     let account = Account()
///     let first = Task { await account.deposit(1) }
///     let second = Task { await account.deposit(1) }
///     await first.value
///     await second.value
///     #expect(await account.balance == 2)
///   }
/// }
/// ```
/// An *interleaving* is the order in which the tasks of the scenario run. An exploration runs one job at a time. It controls
/// `Task { }`, `Task.detached`, child tasks, actors, `@MainActor` code and sleeps. The seed decides the order of the jobs, the
/// *schedule*. So the same seed gives the same run, unless the scenario depends on something that the seed does not control. See
/// the article <doc:WhatExploreControls>.
///
/// A run fails if it throws, records an issue, stalls, exceeds its job limit or depends on foreign work. The exploration
/// records an issue with the seed of the first run that fails, then looks for other kinds of failures, and reports up to three,
/// or only the first in XCTest. It also records an issue if no run had a choice. The environment variable `EXPLORE_SEED=n`
/// replays one seed, and `EXPLORE_SEEDS=n` raises the number of seeds.
///
/// The runs take place on the caller's thread. If you cancel the calling task, the running scenario is cancelled, and
/// the exploration ends without an issue. If that happens before the first run, a warning is recorded.
///
/// - Parameters:
///   - seeds: The number of seeds to run, starting at seed 0; at least 1.
///   - strategy: How the next job is chosen.
///   - jobLimit: The number of jobs after which a run counts as endless; at least 1.
///   - patience: How long, in real time, a run with no ready job waits for code that the exploration does not control,
///     before the run counts as stalled.
///   - allowing: Conditions that do not fail this test, such as foreign work.
///   - leavesNothing: Whether a run fails if one of its tasks is still waiting or sleeping when the scenario has returned.
///   - sourceLocation: Where a failure is recorded.
///   - scenario: The code that each seed runs; it should create all objects that it uses.
public func explore(
  seeds: Int = 1_000, strategy: ExplorationStrategy = .mixed, jobLimit: Int = 100_000,
  patience: Duration = .seconds(1), allowing: ExplorationAllowances = [],
  leavesNothing: Bool = false, sourceLocation: SourceLocation = #_sourceLocation,
  _ scenario: @escaping @Sendable () async throws -> Void
) async {
  var exploration = Exploration(
    seeds: seeds, strategy: strategy, jobLimit: jobLimit, patience: patience, allowing: allowing)
  exploration.leavesNothing = leavesNothing
  await explore(exploration, sourceLocation: sourceLocation, scenario)
}

/// Runs a scenario under many interleavings, with the settings of an exploration.
///
/// ```swift
/// var exploration = Exploration(seeds: 10_000)
/// exploration.fifoActors = true
/// await explore(exploration) { try await scenario() }
/// ```
/// Use this overload for settings that are not parameters of
/// ``explore(seeds:strategy:jobLimit:patience:allowing:leavesNothing:sourceLocation:_:)``.
///
/// - Parameters:
///   - exploration: The seeds, the strategy and the limits.
///   - sourceLocation: Where a failure is recorded.
///   - scenario: The code that each seed runs; it should create all objects that it uses.
public func explore(
  _ exploration: Exploration, sourceLocation: SourceLocation = #_sourceLocation,
  _ scenario: @escaping @Sendable () async throws -> Void
) async {
  var exploration = exploration
  let replay = ReplayEnvironment.current()
  exploration.seeds = max(exploration.seeds, replay.seeds ?? 0)
  _ = await exploration.record(
    "explore", SeedPlans(exploration), sourceLocation: sourceLocation, scenario)
}
