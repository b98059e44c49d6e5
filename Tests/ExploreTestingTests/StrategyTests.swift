@testable import ExploreTesting

/// The bugs that each strategy finds.
///
/// The figures are in `Design/Mutations.md`.
@Suite struct StrategyTests {
  @Test(
    "PCT finds a bug of depth 2 or 3 that uniform choice does not find in 5,000 seeds",
    arguments: [(mustStay: false, within: 1_000), (true, 5_000)])
  func depth(_ mustStay: Bool, _ limit: Int) async {
    func finds(_ strategy: ExplorationStrategy, within seeds: Int) async -> Bool {
      await Exploration(seeds: seeds, strategy: strategy).firstFailure {
        try await PlantedBug(steps: 20, mustStay: mustStay).run()
      } != nil
    }
    #expect(await finds(.pct, within: limit))
    #expect(await !finds(.uniform, within: 5_000))
  }

  /// A scenario that fails if a timer fires before a task that is ready has run.
  private static let overtaken: @Sendable () async throws -> Void = {
    let order = Log<Int>()
    await withDiscardingTaskGroup { group in
      group.addTask {
        try? await Task.sleep(for: .milliseconds(1))
        order.append(1)
      }
      group.addTask {
        for _ in 0..<5 { await Task.yield() }
        order.append(2)
      }
    }
    if order.all == [1, 2] { throw Unexpected() }
  }

  private struct Unexpected: Error {}

  @Test("X2: with a quarter of the seeds, a deadline may fire while other tasks are ready")
  func earlyDeadlines() async {
    var seeds: [UInt64] = []
    for seed in 0..<200 as Range<UInt64> {
      let run = await Exploration().run(seed: seed, Self.overtaken)
      if run.failure != nil { seeds.append(seed) }
    }
    #expect(seeds.count > 20 && seeds.allSatisfy { $0 / 4 % 4 == 3 })
    let uniform = Exploration(seeds: 1_000, strategy: .uniform)
    #expect(await uniform.firstFailure(Self.overtaken) == nil)
  }

  @Test("X5, X8: a failure that needs an early deadline is shrunk, and replays from its file")
  func earlyDeadlineReplays() async throws {
    let context = TestContext()
    defer { context.end() }
    let exploration = Exploration()
    let found = try #require(await exploration.firstFailure(Self.overtaken))
    let plan = RunPlan(seed: found.seed, Chooser(.mixed, seed: found.seed))
    let failed = await exploration.run(plan, in: context, Self.overtaken)
    #expect(failed.run.trace == found.trace)
    let explanation = try #require(
      await exploration.explain(
        found, of: failed, in: context, judge: { $1 }, Self.overtaken))
    let file = ReplayFile(seed: found.seed, switches: explanation.switches)
    let read = try #require(ReplayFile(text: file.text))
    let replayed = await exploration.run(read.plan, in: context, Self.overtaken)
    #expect(replayed.run.failure != nil && replayed.schedule.chooser.script.unmet == 0)
  }

  @Test("X2: with early deadlines, a test clock still advances while tasks sleep repeatedly")
  func earlyDeadlinesEnd() async {
    await explore(seeds: 100, jobLimit: 20_000) {
      let tasks = (0..<20).map { _ in
        Task { while !Task.isCancelled { try? await Task.sleep(for: .milliseconds(1)) } }
      }
      try await TestClock().sleep(for: .milliseconds(20))
      for task in tasks { task.cancel() }
    }
  }

  @Test("X4: Exploration.run(seed:) runs its seed once", arguments: 0..<16)
  func once(_ seed: Int) async {
    let runs = Counter()
    _ = await Exploration().run(seed: UInt64(seed)) { runs.increment() }
    #expect(runs.value == 1)
  }

  @Test("PCT switches away from a task that spins until another task has run")
  func spinning() async {
    await explore(seeds: 200, strategy: .pct, jobLimit: 5_000) {
      let done = Counter()
      await withDiscardingTaskGroup { group in
        for _ in 0..<2 { group.addTask { while done.value == 0 { await Task.yield() } } }
        group.addTask { done.increment() }
      }
    }
  }

  /// A scenario that shows late responses without a check.
  ///
  /// With its fixed delays, the older request is always answered first.
  private static let unguarded: @Sendable () async throws -> Void = {
    let shown = Shared("")
    let requests = [("a", 200), ("ab", 900)].map { text, length in
      Task {
        try? await Task.sleep(for: .milliseconds(length))
        shown.value = text
      }
    }
    for request in requests { await request.value }
    try hold(shown.value == "ab", "\(shown.value) is shown")
  }

  @Test("X2: variesDurations finds a bug that sleeps of fixed length hide")
  func durations() async {
    var exploration = Exploration(seeds: 200)
    #expect(await exploration.firstFailure(Self.unguarded) == nil)
    exploration.variesDurations = true
    guard let failure = await exploration.firstFailure(Self.unguarded) else {
      Issue.record("no seed drew sleeps with which the scenario fails")
      return
    }
    let first = await exploration.run(seed: failure.seed, Self.unguarded)
    #expect(first.trace == failure.trace && first.failure != nil)
    let lengths = Log<Duration>()
    for seed in 0..<200 as Range<UInt64> {
      _ = await exploration.run(seed: seed) {
        let start = ContinuousClock.now
        try await Task.sleep(for: .seconds(8))
        lengths.append(start.duration(to: .now))
      }
    }
    #expect(Set(lengths.all) == Set((0..<7).map { Duration.seconds(1 << $0) }))
  }

  @Test("X5: shrinking keeps the length of a sleep that the failure needs")
  func durationsAreKept() async {
    var exploration = Exploration(seeds: 200)
    exploration.variesDurations = true
    let issues = await recordedIssues { [exploration] in await explore(exploration, Self.unguarded)
    }
    #expect(issues.say("is shown", "It fails without any forced switch"), "\(issues)")
  }
}
