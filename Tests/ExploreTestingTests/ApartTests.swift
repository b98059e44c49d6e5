/// X1 and X3: a run is the same each time, and does not affect other code.
@Suite struct ApartTests {
  @MainActor private final class Model {
    var log: [Int] = []
    func add(_ number: Int) async {
      MainActor.assertIsolated()
      await Task.yield()
      log.append(number)
    }
  }

  private static let scenario: @Sendable () async throws -> Void = {
    let model = Model()
    let tasks = (0..<3).map { number in
      number == 0
        ? Task.detached { await model.add(number) } : Task { @MainActor in await model.add(number) }
    }
    for task in tasks { await task.value }
  }

  @Test(
    "X1: a seed gives the same run 100 times, in four concurrent explorations next to other code",
    arguments: [ExplorationStrategy.uniform, .pct, .mixed])
  func sameTrace(_ strategy: ExplorationStrategy) async {
    let alone = await Exploration(strategy: strategy).run(seed: 7, Self.scenario)
    async let first = Self.traces(strategy)
    async let second = Self.traces(strategy)
    async let third = Self.traces(strategy)
    async let ordinary: Void = Self.useMainActor()
    let traces = await first + second + third + Self.traces(strategy)
    await ordinary
    let areEqual = traces.allSatisfy { $0 == alone.trace }
    #expect(areEqual && traces.count == 400)
    #expect(alone.account.foreignJobs == 0)
  }

  private static func traces(_ strategy: ExplorationStrategy) async -> [ExplorationTrace] {
    let exploration = Exploration(strategy: strategy)
    var traces: [ExplorationTrace] = []
    for _ in 0..<100 { traces.append(await exploration.run(seed: 7, scenario).trace) }
    return traces
  }

  @MainActor private static func useMainActor() async {
    for _ in 0..<400 {
      MainActor.assertIsolated()
      await Task.yield()
    }
  }

  private actor Shared {
    private var isBusy = false
    private(set) var overlaps = 0
    private(set) var calls = 0
    func call() {
      if isBusy { overlaps += 1 }
      isBusy = true
      calls += 1
      isBusy = false
    }
  }

  @Test("X3: an actor shared with code outside the run still runs one call at a time")
  func sharedActor() async {
    let shared = Shared()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<2 {
        group.addTask {
          let exploration = Exploration(
            seeds: 100, patience: .seconds(30), allowing: [.foreignWork, .noChoice])
          _ = await exploration.outcome {
            await withDiscardingTaskGroup { group in
              for _ in 0..<3 { group.addTask { await shared.call() } }
            }
          }
        }
        group.addTask { for _ in 0..<300 { await shared.call() } }
      }
    }
    let (calls, overlaps) = await (shared.calls, shared.overlaps)
    #expect(calls == 2 * 300 + 2 * 300)
    #expect(overlaps == 0)
  }

  @globalActor private actor Shop { static let shared = Shop() }

  @Shop private final class Till {
    private(set) var count = 0
    func take() { count += 1 }
    nonisolated init() {}
  }

  private static let sells: @Sendable () async throws -> Void = {
    let till = Till()
    await withDiscardingTaskGroup { group in
      for _ in 0..<2 { group.addTask { await till.take() } }
      group.addTask { Task { @Shop in till.take() } }
    }
    await untilIdle()
    let count = await till.count
    try hold(count == 3, "sold \(count)")
  }

  @Test("X1, X3: explorations that use one global actor take turns, and repeat their runs")
  func globalActor() async {
    let alone = await Exploration().run(seed: 5, Self.sells)
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<4 {
        group.addTask {
          let outcome = await Exploration(seeds: 500).outcome(Self.sells)
          #expect(outcome.failure == nil && outcome.account.foreignJobs == 0)
          let again = await Exploration().run(seed: 5, Self.sells)
          #expect(again.trace == alone.trace, "exploration \(number)")
          await exploreAll(preemptions: 1, Self.sells)
        }
      }
    }
  }

  @Test(
    "X3: a run that is abandoned at any job releases a global actor for other runs",
    arguments: [false, true])
  func abandoned(isFifo: Bool) async {
    for limit in 1...20 {
      var exploration = Exploration(seeds: 8, jobLimit: limit, patience: .zero, allowing: .noChoice)
      exploration.fifoActors = isFifo
      for seed in 0..<8 as Range<UInt64> { _ = await exploration.run(seed: seed, Self.sells) }
      let after = await Exploration(seeds: 8).firstFailure(Self.sells)
      guard after == nil else {
        Issue.record("after a run of \(limit) jobs: \(String(describing: after))")
        return
      }
    }
  }

  /// A global actor that only one test uses, because the test disturbs every exploration of this process that uses the actor.
  @globalActor private actor Kiosk { static let shared = Kiosk() }

  @Kiosk private static func visit() {}

  @Test("X3, X4: a failure with foreign work at a global actor names the actor and a remedy")
  func globalActorOfOthers() async {
    let isOver = Counter()
    async let others: Void = {
      while isOver.value == 0 {
        await Self.visit()
        await Task.yield()
      }
    }()
    let issues = await recordedIssues {
      await explore(seeds: 100_000, patience: .seconds(30)) {
        await withDiscardingTaskGroup { group in
          for _ in 0..<3 { group.addTask { await Self.visit() } }
        }
      }
    }
    isOver.increment()
    await others
    #expect(
      issues.say("had foreign work", "before the run: Kiosk", "@Suite(.serialized)")
    )
  }

  @Test("X3: a task outside the run waits for its turn when it calls an actor of the run")
  func visitor() async {
    let visits = Counter()
    for _ in 0..<50 {
      let (actors, give) = AsyncStream.makeStream(of: Shared.self)
      // This task starts outside the run, so it belongs to no run.
      let outside = Task {
        for await actor in actors {
          await actor.call()
          visits.increment()
        }
      }
      _ = await Exploration(allowing: [.foreignWork]).run(seed: 1) {
        let actor = Shared()
        give.yield(actor)
        for _ in 0..<20 { await actor.call() }
      }
      give.finish()
      await outside.value
    }
    #expect(visits.value >= 50)
  }

  @Test(
    "X3: if a task outside the run waits for an actor of the run, it continues when the run ends",
    arguments: [false, true])
  func visitorOfAnAbandonedRun(isFifo: Bool) async {
    for limit in 2..<400 {
      let (actors, give) = AsyncStream.makeStream(of: Shared.self)
      let outside = Task {
        for await actor in actors { await actor.call() }
      }
      var options = Exploration(jobLimit: limit % 40 + 2, allowing: [.foreignWork])
      options.fifoActors = isFifo
      _ = await options.run(seed: UInt64(limit)) {
        let actor = Shared()
        give.yield(actor)
        while true {
          await actor.call()
          await Task.yield()
        }
      }
      give.finish()
      await outside.value
    }
  }

  @Test(
    "X3: an abandoned run also ends a run inside its scenario, even if the inner run waits for its turn"
  )
  func innerRunOfAnAbandonedRun() async {
    let options = Exploration(
      seeds: 1, patience: .seconds(60), allowing: [.foreignWork, .noChoice])
    let old = Shared()
    let (held, holds) = AsyncStream.makeStream(of: Void.self)
    let (released, release) = AsyncStream.makeStream(of: Void.self)
    async let holder: Void = {
      _ = await options.run(seed: 0) {
        await old.call()
        holds.finish()
        for await _ in released {}
      }
    }()
    for await _ in held {}
    for seed in 0..<20 as Range<UInt64> {
      let (actors, give) = AsyncStream.makeStream(of: Shared.self)
      let outer = await Exploration(patience: .zero, allowing: [.foreignWork, .noChoice])
        .run(seed: seed) {
          _ = await options.run(seed: seed) {
            let actor = Shared()
            async let calls: Void = { for _ in 0..<10 { await actor.call() } }()
            give.yield(actor)
            await old.call()
            await calls
          }
        }
      #expect("\(outer.failure, default: "none")".contains("stalled"), "\(outer.failure as Any)")
      give.finish()
      for await actor in actors { await actor.call() }
    }
    release.finish()
    await holder
  }

  @Test("X3: outside a run, the clocks of the standard library show the real time")
  func realTime() async {
    let before = ContinuousClock.now
    _ = await Exploration().run(seed: 0) { try await Task.sleep(for: .seconds(86_400)) }
    #expect(before.duration(to: .now) < .seconds(3_600))
    #expect(Exploration.seed == nil)
  }
}
