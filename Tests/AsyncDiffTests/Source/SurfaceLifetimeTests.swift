/// A surface of the main actor is released on the main actor.
@Suite struct SurfaceLifetimeTests {
  @Test(
    "S17: a main-actor surface is released on the main actor, even if its owner releases it during a call",
    arguments: [NodeDemand.Policy.changedRows, .onDemand, .none])
  func releasedOnTheMainActor(policy: NodeDemand.Policy) async throws {
    let diedAtHome = Log<Bool>()
    for round in 0..<60 {
      let owner = Owner(nil)
      let surface = await MainActor.run {
        let surface = Mortal(policy, diedAtHome, owner, dyingIn: round % 3)
        owner.value = surface
        return DiffableDataSource(surface: surface)
      }
      for number in 1...3 { _ = try await surface.apply(oneDay(Array(1...number))) }
      #expect(owner.value == nil)
    }
    #expect(diedAtHome.all == Array(repeating: true, count: 60))
  }

  @Test("S13: apply ends if the surface is released between two calls")
  func releasedBetweenCalls() async throws {
    let owner = Owner(nil)
    let source = await MainActor.run {
      let surface = Mortal(.none, Log(), owner, dyingIn: 1)
      owner.value = surface
      return DiffableDataSource(surface: surface)
    }
    let old = Days(sections: [Day("a", ids: [1]), Day("b", ids: [2])])
    #expect(try await source.apply(old) == .reloaded)
    let new = Days(sections: [Day("b", ids: [2, 1])])
    try #require(old.batches(to: new).count == 2)
    #expect(try await source.apply(new) == .surfaceGone, "released in the first stage")
    #expect(source.snapshot == old)
    #expect(try await source.apply(old) == .surfaceGone)
  }
}

/// Holds the only reference to a surface, apart from the references in the package.
private typealias Owner = Shared<Mortal?>

/// A surface that its owner releases during a given call to the surface.
@MainActor private final class Mortal: CollectionSurface {
  nonisolated let nodePolicy: NodeDemand.Policy
  private let diedAtHome: Log<Bool>
  private let owner: Owner
  private var callsLeft: Int

  init(_ nodePolicy: NodeDemand.Policy, _ log: Log<Bool>, _ owner: Owner, dyingIn call: Int) {
    self.nodePolicy = nodePolicy
    diedAtHome = log
    self.owner = owner
    callsLeft = call
  }

  deinit { diedAtHome.append(isOnMainThread()) }

  private func called() {
    if callsLeft == 0 { owner.value = nil }
    callsLeft -= 1
  }

  func reloadData(_ snapshot: Days) async { called() }

  func performBatchUpdates(_ batch: BatchUpdates<Day>, animated: Bool) async { called() }

  func nodeDemand(for snapshot: Days) async -> NodeDemand {
    NodeDemand(paths: snapshot.paths)
  }
}
