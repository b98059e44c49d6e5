import AsyncKnotTesting
import TestSupport
import Testing

/// Which strategy finds what: the figures are in `Design/Mutations.md`.
@Suite struct StrategyTests {
  @Test(
    "PCT finds a bug of depth 2 or 3 that uniform choice does not find in 10,000 seeds",
    arguments: [(mustStay: false, within: 1_000), (true, 5_000)])
  func depth(_ mustStay: Bool, _ limit: Int) async {
    func finds(_ strategy: ExplorationStrategy, within seeds: Int) async -> Bool {
      await Exploration(seeds: seeds, strategy: strategy).firstFailure {
        try await PlantedBug(steps: 20, mustStay: mustStay).run()
      } != nil
    }
    #expect(await finds(.pct, within: limit))
    #expect(await !finds(.uniform, within: 10_000))
  }

  @Test("X4: one seed is run once, with each strategy", arguments: 0..<16)
  func once(_ seed: Int) async {
    let runs = Counter()
    _ = await Exploration().run(seed: UInt64(seed)) { runs.increment() }
    #expect(runs.value == 1)
  }

  @Test("PCT lets go of a task that spins until another one has run")
  func spinning() async {
    await explore(seeds: 200, strategy: .pct, jobLimit: 5_000) {
      let done = Counter()
      await withDiscardingTaskGroup { group in
        for _ in 0..<2 { group.addTask { while done.value == 0 { await Task.yield() } } }
        group.addTask { done.increment() }
      }
    }
  }
}
