import AsyncKnotTesting
import Testing

/// The samples of the overview and of the short articles.
@Suite struct OverviewSamples {
  private actor Account {
    private(set) var balance = 0
    func deposit(_ amount: Int) { balance += amount }
  }

  @Test func nothingIsLost() async {
    await explore(seeds: 1_000) {
      let account = Account()
      await withDiscardingTaskGroup { group in
        group.addTask { await account.deposit(1) }
        group.addTask { await account.deposit(1) }
      }
      #expect(await account.balance == 2)
    }
  }

  @Suite struct Everything {
    private actor Account {
      private(set) var balance = 100
      func withdraw(_ amount: Int) { if balance >= amount { balance -= amount } }
    }

    @Test("Every schedule of two withdrawals leaves something")
    func withdrawals() async {
      let count = await exploreAll {
        let account = Account()
        await withDiscardingTaskGroup { group in
          for amount in [80, 60] { group.addTask { await account.withdraw(amount) } }
        }
        #expect(await account.balance >= 0)
      }
      #expect((count ?? 0) > 1)
    }
  }

  @Suite struct Linearizable {
    struct CounterModel: SequentialModel {
      enum Operation: Sendable { case add(Int), value }
      var value = 0
      mutating func apply(_ operation: Operation) -> Int? {
        switch operation {
        case .add(let amount):
          value += amount
          return nil
        case .value: return value
        }
      }
    }

    private actor Counter {
      private(set) var value = 0
      func add(_ amount: Int) { value += amount }
    }

    @Test("A counter that is an actor answers as if calls came one after another")
    func counter() async {
      await checkLinearizable(model: CounterModel(), threads: 3, length: 4) { generator in
        generator.integer(in: 0...1) == 0 ? .add(generator.integer(in: 1...3)) : .value
      } subject: {
        Counter()
      } perform: { counter, operation in
        switch operation {
        case .add(let amount):
          await counter.add(amount)
          return nil
        case .value: return await counter.value
        }
      }
    }
  }

  private actor Stock {
    private(set) var isEmpty = true
    func refill() { isEmpty = false }
  }

  @Test("The compiler may fuse two calls; what they do is the same")
  func fused() async {
    let stock = Stock()
    if await stock.isEmpty { await stock.refill() }
    #expect(await stock.isEmpty == false)
  }
}
