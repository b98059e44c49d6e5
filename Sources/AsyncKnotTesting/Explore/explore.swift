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
///   - sourceLocation: The place at which a failure is recorded.
///   - scenario: The code that each seed runs; it should make all objects that it uses.
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
  let monitor = IssueMonitor(namesSeeds: true)
  await monitor.watch { [exploration] in
    let context = TestContext()
    defer { context.end() }
    switch replay.request(of: Test.current) {
    case .none: break
    case .file(let file):
      return await exploration.replay(file, in: context, monitor, sourceLocation, scenario)
    case .unreadable(let path):
      Issue.record(
        "EXPLORE_REPLAY: needs the file of a schedule; got \"\(path)\"",
        sourceLocation: sourceLocation)
      return
    }
    let (outcome, measure) = await exploration.outcome(
      only: replay.seed, in: context, hasIssue: monitor.takeIssue, scenario)
    guard let failure = outcome.failure else { return }
    var text = "explore: \(failure)"
    if failure.isExplainable {
      monitor.silence()
      let explanation = await exploration.explain(
        failure, measure: measure, in: context, hasIssue: monitor.takeIssue, scenario)
      monitor.speak()
      text += "\n\n\(explanation.text)"
      if let path = explanation.save() {
        text += "\n\nEXPLORE_REPLAY=\(path) replays this schedule"
      }
    }
    Attachment.record(
      "\(text)\n\n\(outcome.account)\n", named: "exploration.txt", sourceLocation: sourceLocation)
    Issue.record("\(text)", sourceLocation: sourceLocation)
  }
}

extension Exploration {
  /// Runs the schedule of a file, and says where the program no longer goes that way.
  fileprivate func replay(
    _ file: ReplayFile, in context: TestContext, _ monitor: IssueMonitor,
    _ sourceLocation: SourceLocation, _ scenario: @escaping @Sendable () async throws -> Void
  ) async {
    let recorder = RunRecorder()
    var plan = RunPlan(seed: file.seed, following: file.switches)
    plan.recorder = recorder
    let (run, schedule) = await run(plan, in: context, scenario)
    let failure = failure(of: run, seed: file.seed, hasIssue: monitor.takeIssue)
    var text = failure.map { "explore: the replayed schedule \($0.what)" }
    if let divergence = schedule.script.divergence {
      text =
        (text ?? "explore: the replayed schedule did not fail")
        + "; it diverged at step \(divergence.step + 1): the task that should run there is not ready"
    } else if schedule.script.unmet > 0 {
      text =
        (text ?? "explore: the replayed schedule did not fail")
        + "; it diverged: \(schedule.script.unmet) of its switches were never reached"
    }
    guard let text else { return }
    Issue.record(
      "\(text)\n\n\(LaneReport(run: recorder.run))", sourceLocation: sourceLocation)
  }
}

extension Explanation {
  /// Writes the schedule to a file.
  ///
  /// - Returns: Where it is; `nil` where it cannot be written.
  fileprivate func save() -> String? {
    guard isReproduced, let test = Test.current else { return nil }
    let folder = environmentVariable("TMPDIR") ?? "/tmp"
    let words = test.replayName.split { !$0.isLetter && !$0.isNumber }
    let path = "\(folder)/explore-\(words.joined(separator: "-"))-\(failure.seed).schedule"
    let file = ReplayFile(test: test.replayName, seed: failure.seed, switches: switches)
    return writeFile(file.text, at: path) ? path : nil
  }
}

extension ReplayEnvironment {
  /// The schedule that a test is asked to replay.
  fileprivate enum Request {
    /// Nothing, or a schedule of another test.
    case none
    case file(ReplayFile)
    case unreadable(path: String)
  }

  fileprivate func request(of test: Test?) -> Request {
    guard let path = schedule, let test else { return .none }
    guard let text = readFile(at: path), let file = ReplayFile(text: text) else {
      return .unreadable(path: path)
    }
    return file.test == test.replayName ? .file(file) : .none
  }
}

extension Test {
  /// The module, the suites and the function, as in `ZooTests.AccountTests/isNeverOverdrawn()`.
  fileprivate var replayName: String {
    // What follows is the place in the file, which an edit would change.
    let parts = "\(id)".split(separator: "/")
    return parts.dropLast(parts.count > 1 ? 1 : 0).joined(separator: "/")
  }
}
