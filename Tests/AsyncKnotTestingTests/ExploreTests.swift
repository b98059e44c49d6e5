import AsyncKnotTesting
import Synchronization
import Testing

@Suite struct ExploreTests {
  /// Reads, lets others in, and writes back: loses updates in some interleavings.
  private actor Account {
    var balance = 0
    func deposit(_ amount: Int) async {
      let before = balance
      await Task.yield()
      balance = before + amount
    }
  }

  private actor Ledger {
    var entries: [Int] = []
    func append(_ entry: Int) { entries.append(entry) }
  }

  private static let scenario: @Sendable () async throws -> Void = {
    let ledger = Ledger()
    await withDiscardingTaskGroup { group in
      for task in 0..<4 {
        group.addTask { for step in 0..<3 { await ledger.append(task * 10 + step) } }
      }
    }
  }

  @Test("The same seed gives the identical trace, 100 times over, with both strategies")
  func sameSeedSameTrace() async {
    for strategy in [ExplorationStrategy.uniform, .pct] {
      let exploration = Exploration(strategy: strategy)
      let first = await exploration.run(seed: 7, Self.scenario).trace
      #expect(first.jobs > 12)
      var equal = 0
      for _ in 0..<100 {
        if await exploration.run(seed: 7, Self.scenario).trace == first { equal += 1 }
      }
      #expect(equal == 100)
    }
  }

  @Test("Different seeds give different orders")
  func seedsDiffer() async {
    let orders = Mutex<Set<[Int]>>([])
    let exploration = Exploration(seeds: 200)
    let failure = await exploration.firstFailure {
      let ledger = Ledger()
      await withDiscardingTaskGroup { group in
        for task in 0..<4 { group.addTask { await ledger.append(task) } }
      }
      let entries = await ledger.entries
      orders.withLock { _ = $0.insert(entries) }
    }
    #expect(failure == nil)
    // All orders of four tasks.
    #expect(orders.withLock { $0.count } == 24)
  }

  @Test func findsALostUpdate() async throws {
    let failure = await Exploration(seeds: 100).firstFailure {
      let account = Account()
      await withDiscardingTaskGroup { group in
        for _ in 0..<2 { group.addTask { await account.deposit(1) } }
      }
      let balance = await account.balance
      if balance != 2 { throw Lost() }
    }
    let found = try #require(failure)
    guard case .threw(let error) = found.reason else {
      Issue.record("\(found)")
      return
    }
    #expect(error is Lost)
  }

  private struct Lost: Error {}
}
