@testable import AsyncKnotTesting
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// What the environment asks of explorations.
@Suite struct ReplayTests {
  @Test("Nothing set asks for nothing; what is set is read")
  func parsing() {
    let none = ReplayEnvironment { _ in nil }
    #expect(none.seed == nil && none.seeds == nil)
    let both = ReplayEnvironment { ["EXPLORE_SEED": "17", "EXPLORE_SEEDS": "20000"][$0] }
    #expect(both.seed == 17 && both.seeds == 20_000)
  }

  @Test("EXPLORE_SEED runs that seed and no other")
  func oneSeed() async {
    await #expect(processExitsWith: .success) {
      setenv("EXPLORE_SEED", "17", 1)
      let runs = Counter()
      await explore(seeds: 100, strategy: .uniform) { runs.increment() }
      precondition(runs.value == 1)
    }
  }

  @Test("EXPLORE_SEEDS raises the count and never lowers it")
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

  @Test("A value that is no number traps, and the message names the variable and the value")
  func badValue() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = ReplayEnvironment { $0 == "EXPLORE_SEED" ? "soon" : nil }
    }
    #expect(result.says("EXPLORE_SEED: needs a whole number from 0; got \"soon\""))
  }

  @Test("A replayed seed takes the run it took among the others, also with PCT")
  func replayIsExact() async throws {
    for strategy in [ExplorationStrategy.uniform, .pct(depth: 2)] {
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
      print(await Exploration().run(seed: 7, Self.planted).trace)
    }
    return String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
  }

  @Test("A seed takes the same run in two processes at once, and in this one")
  func processes() async {
    async let first = Self.traceOfAnotherProcess()
    async let second = Self.traceOfAnotherProcess()
    let own = await Exploration().run(seed: 7, Self.planted).trace.description
    let texts = await [first, second]
    #expect(own.count > 40)
    #expect(texts.allSatisfy { $0.contains(own) })
  }
}
