internal import AsyncKnot
internal import Synchronization
public import Testing

/// Runs a scenario under many interleavings, each of them drawn from a seed.
///
/// ```swift
/// @Test func transfersLoseNothing() async {
///   await explore(seeds: 10_000) {
///     let account = Account()
///     await withDiscardingTaskGroup { group in
///       for _ in 0..<3 { group.addTask { await account.deposit(1) } }
///     }
///     #expect(await account.balance == 3)
///   }
/// }
/// ```
/// The scenario, its child tasks and the default actors they call run one job at a time. The order is
/// drawn from the seed, so the same seed gives the same run. What the scenario starts with `Task {}`
/// or on the main actor runs elsewhere; see the article <doc:WhatExploreControls>.
///
/// The first run that throws, records an issue, stalls or exceeds its job limit ends the exploration
/// and is recorded with its seed. `EXPLORE_SEED=n` replays one seed; `EXPLORE_SEEDS=n` raises the count.
///
/// - Parameters:
///   - seeds: How many seeds are run.
///   - strategy: How the next job is chosen.
///   - jobLimit: How many jobs a run may take.
///   - patience: How long a run with nothing ready waits for main-actor code and other executors.
///   - sourceLocation: Where the failure is recorded.
///   - scenario: What is run for each seed; it should build all it needs itself.
public func explore(
  seeds: Int = 1_000, strategy: ExplorationStrategy = .uniform, jobLimit: Int = 100_000,
  patience: Duration = .seconds(1), sourceLocation: SourceLocation = #_sourceLocation,
  _ scenario: @escaping @Sendable () async throws -> Void
) async {
  await explore(
    Exploration(seeds: seeds, strategy: strategy, jobLimit: jobLimit, patience: patience),
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
    let failure = await exploration.firstFailure(
      only: replay.seed, hasIssue: { hasIssue.isRaised }, scenario)
    if let failure { Issue.record("explore: \(failure)", sourceLocation: sourceLocation) }
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

/// A moment at which other jobs of the exploration may run, in the middle of synchronous code.
///
/// ```swift
/// let seen = box.withLock { $0.version }
/// preemptionPoint()                       // another thread could come in here
/// box.withLock { $0.waiters.append(…) }
/// ```
/// Jobs are exchanged where tasks suspend. Threads are also preempted between two critical sections;
/// put this there to explore that, too. Outside an exploration it does nothing. Never call it with
/// a lock held: a job that takes the lock would wait for ever.
public func preemptionPoint() { Explorer.current?.preempt() }
