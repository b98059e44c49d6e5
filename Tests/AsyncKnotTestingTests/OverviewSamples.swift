import AsyncKnotTesting
import Dispatch
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

  @Test func transfersLoseNothing() async {
    await explore(seeds: 10_000) {
      let account = Account()
      let first = Task { await account.deposit(1) }
      let second = Task { await account.deposit(1) }
      await first.value
      await second.value
      #expect(await account.balance == 2)
    }
  }

  @Test(.explored(seeds: 10_000)) func depositsAdd() async {
    let account = Account()
    let first = Task { await account.deposit(1) }
    let second = Task { await account.deposit(1) }
    await first.value
    await second.value
    #expect(await account.balance == 2)
  }

  @Test("The sample of a strategy passes")
  func strategy() async {
    await explore(seeds: 1_000, strategy: .pct) {
      let account = Account()
      async let first: Void = account.deposit(1)
      async let second: Void = account.deposit(1)
      _ = await (first, second)
      #expect(await account.balance == 2)
    }
  }

  @Test("The sample of a bounded search passes")
  func bounded() async {
    await exploreAll(preemptions: 2) {
      let account = Account()
      async let first: Void = account.deposit(1)
      async let second: Void = account.deposit(1)
      _ = await (first, second)
      #expect(await account.balance == 2)
    }
  }

  @Test("The sample of conditions that some run meets passes")
  func conditions() async {
    await explore(seeds: 1_000) {
      let account = Account()
      let deposit = Task { await account.deposit(1) }
      let seen = await account.balance
      sometimes("the deposit came first", seen == 1)
      sometimes("the deposit came later", seen == 0)
      await deposit.value
    }
  }

  @Suite struct Cancelled {
    private actor Account {
      private(set) var balance: Int
      init(balance: Int) { self.balance = balance }
      func add(_ amount: Int) { balance += amount }
    }

    private func transfer(_ amount: Int, from: Account, to: Account) async throws {
      try Task.checkCancellation()
      await from.add(-amount)
      await to.add(amount)
    }

    @Test("The sample of cancellations passes")
    func transfers() async {
      await exploreCancelling {
        let (from, to) = (Account(balance: 10), Account(balance: 0))
        try? await transfer(5, from: from, to: to)
        #expect(await from.balance + to.balance == 10)
      }
    }
  }

  private actor LogFile {
    private final class Executor: SerialExecutor {
      private let queue = DispatchQueue(label: "log")
      func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { [self] in job.runSynchronously(on: asUnownedSerialExecutor()) }
      }
    }

    private let executor = Executor()
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    private(set) var lines: [String] = []
    func write(_ line: String) { lines.append(line) }
  }

  @Test("The sample of foreign work passes")
  func foreignWork() async {
    await explore(seeds: 100, allowing: [.foreignWork]) {
      let log = LogFile()  // an actor with an executor of its own
      async let first: Void = log.write("started")
      async let second: Void = log.write("ready")
      _ = await (first, second)
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
