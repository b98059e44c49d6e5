import AsyncKnotTesting
import Testing

/// Which strategy finds what: the figures are in `Design/Mutations.md`.
@Suite struct StrategyTests {
  private func seedsToFind(
    _ strategy: ExplorationStrategy, mustStay: Bool, within seeds: Int
  ) async -> Int? {
    let exploration = Exploration(seeds: seeds, strategy: strategy)
    let failure = await exploration.firstFailure {
      try await PlantedBug(steps: 20, mustStay: mustStay).run()
    }
    return failure.map { Int($0.seed) + 1 }
  }

  @Test("PCT finds a bug of depth 2 that uniform choice does not find in 10,000 seeds")
  func depth2() async throws {
    let pct = await seedsToFind(.pct(depth: 2), mustStay: false, within: 10_000)
    #expect(try #require(pct) <= 200)
    #expect(await seedsToFind(.uniform, mustStay: false, within: 10_000) == nil)
  }

  @Test("PCT finds a bug of depth 3 that uniform choice does not find in 10,000 seeds")
  func depth3() async throws {
    let pct = await seedsToFind(.pct(depth: 3), mustStay: true, within: 10_000)
    #expect(try #require(pct) <= 5_000)
    #expect(await seedsToFind(.uniform, mustStay: true, within: 10_000) == nil)
  }

  @Test("PCT lets go of a task that spins until another one has run")
  func spinning() async {
    await explore(seeds: 200, strategy: .pct(depth: 1), jobLimit: 5_000) {
      let done = Counter()
      await withDiscardingTaskGroup { group in
        for _ in 0..<2 { group.addTask { while done.value == 0 { await Task.yield() } } }
        group.addTask { done.increment() }
      }
    }
  }
}
