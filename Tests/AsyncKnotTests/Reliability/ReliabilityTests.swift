/// Runs the contracts on real threads, where sanitizers can find errors, and checks that nothing stays registered.
@Suite(.timeLimit(.minutes(30))) struct ReliabilityTests {
  private static let contracts: [@Sendable () async throws -> Void] = [
    KnotCounter.losesNoUpdate,
    KnotCounter.showsEveryObserverTheLastState,
    KnotCounter.forgetsCancelledObservers,
    KnotCounter.endsWithTheLastState,
  ]

  @Test("S1–S3, S5, S6, S8: the explored contracts also hold on real threads", arguments: 0..<4)
  func onThreads(contract: Int) async throws {
    try await withThrowingDiscardingTaskGroup { group in
      for _ in 0..<4 {
        group.addTask { for _ in 0..<500 { try await Self.contracts[contract]() } }
      }
    }
  }

  @Test("S8, S13, E1: after 20,000 observers have ended, nothing is registered")
  func nothingRegistered() async {
    let leftovers = await Storm().rage(observers: 20_000, seed: 1)
    #expect(leftovers == .none)
  }

  @Test(
    "S8: memory does not keep growing over rounds of 100,000 observers",
    .enabled(if: !isSanitized))
  func nothingAllocated() async {
    // Run in a separate process, in which nothing else allocates.
    await #expect(processExitsWith: .success) {
      let storm = Storm()
      var growths: [Int] = []
      for seed in 2...4 {
        let before = residentBytes() ?? 0
        let leftovers = await storm.rage(observers: 100_000, seed: UInt64(seed))
        precondition(leftovers == .none, "the storm left registrations: \(leftovers)")
        growths.append((residentBytes() ?? 0) - before)
      }
      print("STORM: memory grew by \(growths) bytes")
      // The allocator can keep freed memory. But observers that stayed registered, at a hundred bytes or more
      // each, would add ten megabytes in every storm.
      precondition(
        growths.contains { $0 < 2_000_000 }, "memory grew by 2 MB or more in each storm: \(growths)"
      )
    }
  }
}
