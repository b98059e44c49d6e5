@testable import ExploreTesting

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The environment variables of explorations.
@Suite struct ReplayTests {
  @Test("Environment variables that are set are read, and missing or empty ones have no effect")
  func parsing() {
    let none = ReplayEnvironment { _ in nil }
    #expect(none.seed == nil && none.seeds == nil && none.schedule == nil)
    #expect(ReplayEnvironment { _ in "" } == none)
    let both = ReplayEnvironment { ["EXPLORE_SEED": "17", "EXPLORE_SEEDS": "20000"][$0] }
    #expect(both.seed == 17 && both.seeds == 20_000)
  }

  @Test("EXPLORE_SEED runs only the given seed, with explore and with firstFailure")
  func oneSeed() async {
    await #expect(processExitsWith: .success) {
      for seed in [17, UInt64.max] {
        setenv("EXPLORE_SEED", "\(seed)", 1)
        let seeds = Log<UInt64?>()
        await explore(seeds: 100, strategy: .uniform) { seeds.append(Exploration.seed) }
        _ = await Exploration(seeds: 100, strategy: .uniform).firstFailure {
          seeds.append(Exploration.seed)
        }
        precondition(seeds.all == [seed, seed])
      }
    }
  }

  @Test("EXPLORE_SEEDS raises the number of seeds and never lowers it")
  func moreSeeds() async {
    await #expect(processExitsWith: .success) {
      setenv("EXPLORE_SEEDS", "50", 1)
      let few = Counter()
      await explore(seeds: 10, allowing: [.noChoice]) { few.increment() }
      precondition(few.value == 50)
      let many = Counter()
      await explore(seeds: 100, allowing: [.noChoice]) { many.increment() }
      precondition(many.value == 100)
    }
  }

  @Test("A seed gives the same run alone and among other seeds, with uniform choice and with PCT")
  func replayIsExact() async throws {
    for strategy in [ExplorationStrategy.uniform, .pct] {
      let exploration = Exploration(seeds: 2_000, strategy: strategy)
      let scenario: @Sendable () async throws -> Void = {
        try await PlantedBug(steps: 4, mustStay: false).run()
      }
      let found = try #require(await exploration.firstFailure(scenario))
      let replayed = await exploration.run(seed: found.seed, scenario)
      #expect(replayed.trace == found.trace)
      #expect(replayed.failure != nil)
    }
  }

  private static let planted: @Sendable () async throws -> Void = {
    try await PlantedBug(steps: 4, mustStay: true).run()
  }

  private static func traceOfAnotherProcess() async -> String {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardOutputContent]
    ) {
      let traces = await ReplayTests.tracesBesideOthers()
      print("\(traces.count) trace:", traces.joined())
    }
    return String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
  }

  /// The different traces of 100 runs of one seed, while two other tasks yield again and again.
  private static func tracesBesideOthers() async -> Set<String> {
    let isOver = Counter()
    return await withTaskGroup(of: Set<String>.self) { group in
      for _ in 0..<2 {
        group.addTask {
          while isOver.value == 0 { await Task.yield() }
          return []
        }
      }
      group.addTask {
        var traces: Set<String> = []
        for _ in 0..<100 {
          let trace = await Exploration().run(seed: 7, planted).trace
          traces.insert("\(trace.choices.map { "\($0.index)/\($0.count)" })")
        }
        isOver.increment()
        return traces
      }
      return await group.reduce(into: Set()) { $0.formUnion($1) }
    }
  }

  @Test("X1: a seed gives the same run 100 times in this process and in two other busy ones")
  func processes() async throws {
    async let first = Self.traceOfAnotherProcess()
    async let second = Self.traceOfAnotherProcess()
    let own = await Self.tracesBesideOthers()
    let texts = await [first, second]
    let trace = try #require(own.first)
    #expect(own.count == 1 && trace.count > 40)
    #expect(texts.allSatisfy { $0.contains("1 trace: \(trace)") })
  }

  @Test("X1: a scenario can draw its input from the seed, so that input and order vary together")
  func inputFromTheSeed() async {
    let inputs = Log<Int>()
    let exploration = Exploration(seeds: 50, allowing: [.noChoice])
    for _ in 0..<2 {
      _ = await exploration.firstFailure {
        var generator = SeededGenerator(seed: Exploration.seed ?? 0)
        // The task draws from the generator, and does not read the seed itself.
        inputs.append(await Task { generator.integer(in: 0...1_000) }.value)
      }
    }
    let all = inputs.all
    #expect(Set(all).count > 40)
    #expect(Array(all.suffix(50)) == Array(all.suffix(100).prefix(50)))
  }

  @Test("X5: a schedule replays if a task was cancelled during its sleep")
  func cancelledSleep() async {
    @Sendable func scenario(_ log: Log<String>) async {
      let sleeper = Task {
        try? await Task.sleep(for: .microseconds(500))
        for _ in 0..<4 {
          log.append("s")
          await Task.yield()
        }
      }
      let other = Task {
        for step in 0..<4 {
          log.append("o")
          await Task.yield()
          if step == 0 { sleeper.cancel() }
        }
      }
      await sleeper.value
      await other.value
    }
    for seed in 0..<400 as Range<UInt64> {
      let (exploration, context) = (Exploration(), TestContext())
      var plan = RunPlan(seed: seed, Chooser(.mixed, seed: seed))
      plan.isRecorded = true
      let (first, second) = (Log<String>(), Log<String>())
      let finished = await exploration.run(plan, in: context) { await scenario(first) }
      let again = plan.following(finished.schedule.taken)
      _ = await exploration.run(again, in: context) { await scenario(second) }
      context.end()
      #expect(first.all == second.all, "seed \(seed)")
    }
  }

  @Test("X8: if an option of a replayed schedule does not exist, the replay says so")
  func missingOption() {
    let moment = ForcedSwitch.Moment(task: 1, step: 2, point: ForcedSwitch.Moment.chance | 1)
    var script = Script([ForcedSwitch(after: moment, run: 2)])
    let choice = script.decide(of: 2, at: DecisionMoment(current: 0, step: 4, moment: moment))
    #expect(choice == 0 && script.unmet == 1)
    #expect(script.divergence?.step == 4)
    #expect(script.divergence?.reason == "the option that should be chosen does not exist")
  }
}
