@testable import ExploreTesting

@Suite struct MixedTests {
  @Test(
    "X2: the mixed strategy alternates between uniform and PCT, by seed", arguments: [0, 1, 2, 3])
  func alternates(seed: UInt64) async {
    // These seeds neither interrupt code nor reach deadlines early.
    func trace(_ strategy: ExplorationStrategy) async -> ExplorationTrace {
      await Exploration(strategy: strategy).run(seed: seed) {
        await withTaskGroup(of: Void.self) { group in
          for _ in 0..<8 { group.addTask { for _ in 0..<8 { await Task.yield() } } }
        }
      }.trace
    }
    let (mixed, uniform, pct) = (await trace(.mixed), await trace(.uniform), await trace(.pct))
    #expect(uniform != pct)
    #expect(mixed == (seed % 2 == 0 ? uniform : pct))
  }
}
