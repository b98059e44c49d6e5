internal import AsyncKnot
internal import Synchronization
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
/// All that the scenario starts runs one job at a time: `Task { }`, `Task.detached`, child tasks, actors,
/// `@MainActor` code, sleeps. The order is drawn from the seed, so the same seed gives the same run. See
/// the article <doc:WhatExploreControls>.
///
/// The first run that throws, records an issue, stalls, exceeds its job limit or depends on foreign work
/// ends the exploration and is recorded with its seed; so is an exploration that never had a choice.
/// `EXPLORE_SEED=n` replays one seed; `EXPLORE_SEEDS=n` raises the count.
///
/// - Parameters:
///   - seeds: How many seeds are run.
///   - strategy: How the next job is chosen.
///   - jobLimit: How many jobs a run may take.
///   - patience: How long a run with nothing ready waits for executors that it does not own.
///   - allowing: What is no failure here.
///   - sourceLocation: Where the failure is recorded.
///   - scenario: What is run for each seed; it should build all it needs itself.
public func explore(
  seeds: Int = 1_000, strategy: ExplorationStrategy = .mixed, jobLimit: Int = 100_000,
  patience: Duration = .seconds(1), allowing: ExplorationAllowances = [],
  sourceLocation: SourceLocation = #_sourceLocation,
  _ scenario: @escaping @Sendable () async throws -> Void
) async {
  await explore(
    Exploration(
      seeds: seeds, strategy: strategy, jobLimit: jobLimit, patience: patience, allowing: allowing),
    sourceLocation: sourceLocation, scenario)
}

/// Runs an exploration and records its failure.
package func explore(
  _ exploration: Exploration, sourceLocation: SourceLocation,
  _ scenario: @escaping @Sendable () async throws -> Void
) async {
  let replay = ReplayEnvironment(variable: environmentVariable)
  var exploration = exploration
  exploration.seeds = max(exploration.seeds, replay.seeds ?? 0)
  let hasIssue = IssueFlag()
  // An intermittent known issue that never matches: it changes nothing, but sees every issue.
  await withKnownIssue(isIntermittent: true) { [exploration] in
    let outcome = await exploration.outcome(
      only: replay.seed, hasIssue: { hasIssue.isRaised }, scenario)
    guard let failure = outcome.failure else { return }
    Attachment.record(
      "\(failure.descriptionForEnvironment)\n\(outcome.account)\n", named: "exploration.txt",
      sourceLocation: sourceLocation)
    Issue.record(
      "explore: \(failure.descriptionForEnvironment)", sourceLocation: sourceLocation)
  } matching: { issue in
    if issue.isFailure { hasIssue.raise() }
    return false
  }
}

/// Whether the scenario has recorded an issue.
private final class IssueFlag: Sendable {
  private let flag = Atomic(false)
  var isRaised: Bool { flag.load(ordering: .acquiring) }
  func raise() { flag.store(true, ordering: .releasing) }
}
