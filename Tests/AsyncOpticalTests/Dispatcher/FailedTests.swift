import AsyncKnot
import AsyncKnotTesting
import ExploreTesting
import TestSupport
import Testing

@testable import AsyncOptical

/// The result of `perform` for a request that has failed.
@Suite struct FailedTests {
  private struct Refused: Error, Equatable { var id = 1 }

  private actor Shop: Opticle {
    enum Request: Sendable {
      case buy(Int), buyBoth, load, note, share, cancelThenBuy, race(Winner)
    }
    /// How the fast commit answers the request; `none` if there is no fast commit.
    enum Winner: CaseIterable { case response, success, none }
    let knot = Knot<[String]>([])
    let gate = Gate()
    let policies: DispatchPolicy
    init(_ policy: DispatchPolicy = .concurrent) { policies = policy }
    nonisolated func policy(for request: Request) -> DispatchPolicy { policies }
    func dispatch(_ request: Request) async {
      switch request {
      case .buy(let id): await commit(from: request) { throw Refused(id: id) }
      case .buyBoth:
        for id in 1...2 { await commit(from: request) { throw Refused(id: id) } }
        await commit(from: request) { "third" }
      case .load: await load(from: request) { throw Refused() }
      case .note: commit(error: Refused(), from: request)
      case .share:
        await commit(from: request, expecting: "shown") { [gate] in
          await gate.wait()
          throw Refused()
        }
      case .cancelThenBuy:
        await commit(from: request) { throw CancellationError() }
        await commit(from: request) { throw Refused() }
      case .race(let winner):
        await withTaskGroup(of: Void.self) { group in
          group.addTask {
            _ = await self.commit(from: request) {
              try await Task.sleep(for: .seconds(1_000))
              return "slow"
            }
          }
          group.addTask {
            switch winner {
            case .response: await self.commit(from: request) { "fast" }
            case .success: await self.commit(expectationFor: request) {}
            case .none: return
            }
          }
          if winner != .none { await group.next() }
          group.cancelAll()
        }
      }
    }
    func mutate(_ state: inout [String], response: String) {
      if !state.contains(response) { state.append(response) }
    }
    func recover(_ state: inout [String], request: Request, error: any Error) {
      state.append("\(error)")
    }
  }

  @Test(
    "O14: perform returns .failed with the error of the request",
    arguments: [
      DispatchPolicy.concurrent, .serial(1), .latest(1), .exclusive(1),
      .exclusive(1, freshFor: .seconds(60)), .throttled(1, for: .seconds(1)),
    ])
  func failure(policy: DispatchPolicy) async throws {
    for request in [Shop.Request.buy(1), .buyBoth, .load, .note] {
      let shop = Shop(policy)
      let outcome = await shop.perform(request)
      #expect(outcome == .failed(Refused()), "\(request)")
      #expect(shop.state.first == "\(Refused())")
      #expect(throws: Refused()) { try outcome.get() }
    }
  }

  @Test("O14: equal outcomes have equal hashes")
  func hashes() {
    enum Other { struct Refused: Error { var id = 1 } }
    for (one, other) in [
      (DispatchOutcome.failed(Refused()), DispatchOutcome.failed(Other.Refused())),
      (.joined(.failed(Refused())), .joined(.failed(Other.Refused()))),
    ] {
      #expect(one == other && one.hashValue == other.hashValue)
    }
    let all: [DispatchOutcome] = [
      .carriedOut, .fresh, .superseded, .dropped, .callerCancelled, .deadlock,
    ]
    #expect(Set(all).count == 6)
  }

  @Test("O14: if one commit is cancelled and another one fails, perform returns the failure")
  func errorAfterCancellation() async {
    let shop = Shop()
    #expect(await shop.perform(.cancelThenBuy) == .failed(Refused()))
    #expect(shop.state == ["\(Refused())"])
  }

  @Test(
    "O14: if a handler cancels one commit because another has succeeded, the message is not cancelled"
  )
  func race() async {
    await exploreContract(seeds: 500, allowing: [.noChoice]) {
      for winner in Shop.Winner.allCases {
        let shop = Shop()
        let outcome = await shop.perform(.race(winner))
        let expected = winner == .none ? DispatchOutcome.failed(CancellationError()) : .carriedOut
        try hold(outcome == expected, "\(winner): \(outcome)")
        try hold(shop.state == (winner == .response ? ["fast"] : []), "\(shop.state)")
      }
    }
  }

  @Test("O14: a failed message reports its own error, not the error of the previous message")
  func nextMessage() async {
    await exploreContract(seeds: 500) {
      for policy in [DispatchPolicy.concurrent, .serial(1), .exclusive(1)] {
        let shop = Shop(policy)
        shop.send(.buy(1))
        let failed = Task { await shop.perform(.buy(2)) }
        let outcome = await failed.value
        try hold(
          [.failed(Refused(id: 2)), .joined(.failed(Refused()))].contains(outcome), "\(outcome)")
        shop.gate.open()
        let other = await shop.perform(.note)
        try hold([.failed(Refused()), .joined(.failed(Refused()))].contains(other), "\(other)")
      }
    }
  }

  @Test(
    "O14, O16: all callers of a shared message get its error, and a superseded message reports none"
  )
  func shared() async {
    await exploreContract(seeds: 500, allowing: [.noChoice]) {
      let shop = Shop(.exclusive("share"))
      let callers = (0..<3).map { _ in Task { await shop.perform(.share) } }
      await untilIdle()
      shop.gate.open()
      var outcomes: [DispatchOutcome] = []
      for caller in callers { outcomes.append(await caller.value) }
      let failed = DispatchOutcome.failed(Refused())
      try hold(
        outcomes.sorted { "\($0)" < "\($1)" } == [failed, .joined(failed), .joined(failed)],
        "\(outcomes)")
      let other = Shop(.latest("share"))
      let first = Task { await other.perform(.share) }
      await untilIdle()
      let second = Task { await other.perform(.share) }
      await untilIdle()
      other.gate.open()
      let both = (await first.value, await second.value)
      try hold(both == (.superseded, failed), "\(both)")
    }
  }

  @Test(
    "O14: get() returns if the request succeeded, and otherwise throws its error, .deadlock or a CancellationError"
  )
  func get() throws {
    for outcome in [DispatchOutcome.carriedOut, .fresh, .joined(.carriedOut)] { try outcome.get() }
    for outcome in [DispatchOutcome.superseded, .dropped, .callerCancelled, .joined(.superseded)] {
      #expect(throws: CancellationError.self) { try outcome.get() }
    }
    #expect(throws: Refused()) { try DispatchOutcome.joined(.failed(Refused())).get() }
    #expect(throws: DispatchOutcome.deadlock) { try DispatchOutcome.deadlock.get() }
    #expect(DispatchOutcome.failed(Refused(id: 1)) != .failed(Refused(id: 2)))
    #expect(Set([DispatchOutcome.fresh, .fresh, .callerCancelled]).count == 2)
  }

  @Test("O14, S18: an error is released with its message")
  func released() async {
    final class Freight: Sendable {}
    struct Heavy: Error { let freight: Freight }
    let shop = Onsite()
    weak var freight: Freight?
    do {
      let heavy = Freight()
      freight = heavy
      await shop.perform(
        Onsite.Request(id: 1, policy: .concurrent) { [heavy] holder in
          holder.commit(
            error: Heavy(freight: heavy),
            from: Onsite.Request(id: 1, policy: .concurrent) { _ in })
        })
    }
    await waitWhile(shop.desk.unfinishedCount > 0)
    await shop.perform(Onsite.Request(id: 2, policy: .concurrent) { _ in })
    #expect(freight == nil)
  }
}
