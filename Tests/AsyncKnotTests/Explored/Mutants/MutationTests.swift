/// Proof that the explored contracts can fail: each deliberate breakage is found, by both strategies.
///
/// The figures are in `Design/Mutations.md`.
@Suite struct MutationTests {
  typealias Contract = @Sendable (@Sendable () -> MutantCounter) async throws -> Void

  private static let strategies: [ExplorationStrategy] = [.uniform, .pct]
  private static let contracts: [Contract] = [
    MutantCounter.losesNoUpdate, MutantCounter.showsEveryObserverTheLastState,
    MutantCounter.forgetsCancelledObservers, MutantCounter.endsWithTheLastState,
  ]

  @Test(
    "A breakage is found within 10,000 seeds",
    arguments: MutantCounter.Mutation.allCases.dropFirst(), strategies)
  func found(mutation: MutantCounter.Mutation, strategy: ExplorationStrategy) async throws {
    let contract = mutation.brokenContract
    var failure: ExplorationFailure?
    let time = await ContinuousClock().measure {
      failure = await Exploration(
        seeds: 10_000, strategy: strategy, jobLimit: 5_000, patience: .zero
      ).firstFailure { try await contract { MutantCounter(mutation) } }
    }
    let found = try #require(failure)
    print("mutation | \(mutation.rawValue) | \(strategy) | \(found.seed + 1) seeds | \(time)")
  }

  @Test("The same holder with nothing broken holds every contract", arguments: strategies)
  func unbroken(strategy: ExplorationStrategy) async {
    for contract in Self.contracts {
      await explore(seeds: 2_500, strategy: strategy, jobLimit: 5_000) {
        try await contract { MutantCounter(.none) }
      }
    }
  }
}

extension MutantCounter.Mutation {
  /// The contract that a mutation breaks.
  fileprivate var brokenContract: MutationTests.Contract {
    switch self {
    case .none, .splitsReduction: MutantCounter.losesNoUpdate
    case .registersLater: MutantCounter.showsEveryObserverTheLastState
    case .ignoresCancellation, .keepsPlace: MutantCounter.forgetsCancelledObservers
    case .endsSilently, .endsEarly: MutantCounter.endsWithTheLastState
    }
  }
}
