import AsyncKnotTesting
import TestSupport
import Testing

/// O4, and the proof that the exploration would find its breach.
///
/// The figures are in `Design/Mutations.md`.
@Suite struct LateCommitMutationTests {
  @Test("O4: a late commit of a superseded request is dropped")
  func real() async {
    await exploreContract(seeds: 10_000) {
      try await LatestOpticle.neverGoesBack { LatestOpticle() }
    }
  }

  @Test(
    "A late commit that is not dropped is found within 10,000 seeds",
    arguments: [ExplorationStrategy.uniform, .pct])
  func found(strategy: ExplorationStrategy) async throws {
    var failure: ExplorationFailure?
    let time = await ContinuousClock().measure {
      failure = await Exploration(seeds: 10_000, strategy: strategy).firstFailure {
        try await MutantLatest.neverGoesBack { MutantLatest(dropsLateCommits: false) }
      }
    }
    let found = try #require(failure)
    print("mutation | a late commit not dropped | \(strategy) | \(found.seed + 1) seeds | \(time)")
  }

  @Test("The same one that drops late commits holds the contract")
  func unbroken() async {
    await exploreContract(seeds: 2_500) {
      try await MutantLatest.neverGoesBack { MutantLatest(dropsLateCommits: true) }
    }
  }
}
