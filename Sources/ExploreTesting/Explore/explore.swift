public import Testing

/// Runs a scenario under many interleavings, each of them drawn from a seed.
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
/// The scenario and all tasks that it starts run one job at a time: `Task { }`, `Task.detached`, child
/// tasks, actors, `@MainActor` code, sleeps. The order is drawn from the seed, so the same seed gives the
/// same run. See the article <doc:WhatExploreControls>.
///
/// The first run that throws, records an issue, stalls, exceeds its job limit or depends on foreign work
/// ends the exploration, and is recorded as an issue with its seed. An exploration in which no run had a
/// choice is recorded, too. `EXPLORE_SEED=n` in the environment replays one seed; `EXPLORE_SEEDS=n` raises
/// the count.
///
/// The runs take place on the thread of the caller. When the calling task is cancelled, the running
/// scenario is cancelled, and the exploration ends without an issue.
///
/// - Parameters:
///   - seeds: How many seeds are run, from 0; not negative.
///   - strategy: How the next job is chosen.
///   - jobLimit: How many jobs a run may take before it counts as endless; at least 1.
///   - patience: How long a run in which nothing is ready waits, in real time, for code that the exploration
///     does not control, before it counts as stalled.
///   - allowing: Properties of the exploration that are no failure in this test.
///   - leavesNothing: Whether a task that still waits when the scenario has returned fails the run.
///   - sourceLocation: The place at which a failure is recorded.
///   - scenario: The code that each seed runs; it should make all objects that it uses.
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

/// Runs a scenario under many interleavings, as an exploration says.
///
/// ```swift
/// var exploration = Exploration(seeds: 10_000)
/// exploration.fifoActors = true
/// await explore(exploration) { try await scenario() }
/// ```
/// It is ``explore(seeds:strategy:jobLimit:patience:allowing:leavesNothing:sourceLocation:_:)`` for all that an
/// exploration can be told.
///
/// - Parameters:
///   - exploration: The seeds, the strategy and the limits.
///   - sourceLocation: The place at which a failure is recorded.
///   - scenario: The code that each seed runs; it should make all objects that it uses.
public func explore(
  _ exploration: Exploration, sourceLocation: SourceLocation = #_sourceLocation,
  _ scenario: @escaping @Sendable () async throws -> Void
) async {
  var exploration = exploration
  let replay = ReplayEnvironment(variable: environmentVariable)
  exploration.seeds = max(exploration.seeds, replay.seeds ?? 0)
  _ = await exploration.record(
    "explore", SeedPlans(exploration), sourceLocation: sourceLocation, scenario)
}
