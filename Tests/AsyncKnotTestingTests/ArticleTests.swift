import AsyncKnotTesting
import TestSupport
import Testing

/// The samples of the article "Test your own actor".
@Suite struct ArticleTests {
  private enum Unrepaired {
    actor Account {
      private(set) var balance = 100
      private let confirm: @Sendable (Int) async -> Bool

      init(confirm: @escaping @Sendable (Int) async -> Bool) { self.confirm = confirm }

      func withdraw(_ amount: Int) async -> Bool {
        guard balance >= amount else { return false }
        guard await confirm(amount) else { return false }
        balance -= amount
        return true
      }
    }
  }

  private actor Account {
    private(set) var balance = 100
    private let confirm: @Sendable (Int) async -> Bool

    init(confirm: @escaping @Sendable (Int) async -> Bool) { self.confirm = confirm }

    func withdraw(_ amount: Int) async -> Bool {
      guard balance >= amount else { return false }
      balance -= amount
      guard await confirm(amount) else {
        balance += amount
        return false
      }
      return true
    }
  }

  @Test("The article's account is overdrawn, and the report names the seed")
  func bug() async {
    let issues = await recordedIssues {
      await explore(seeds: 1_000) {
        let account = Unrepaired.Account { _ in
          await Task.yield()
          return true
        }
        await withDiscardingTaskGroup { group in
          for _ in 0..<2 { group.addTask { _ = await account.withdraw(80) } }
        }
        #expect(await account.balance >= 0)
      }
    }
    #expect(issues.say("Expectation failed: await account.balance >= 0"))
    #expect(issues.say("explore: seed 0 recorded an issue", "1 forced switch", "EXPLORE_REPLAY="))
  }

  @Test func accountIsNeverOverdrawn() async {
    await explore(seeds: 1_000) {
      let account = Account { _ in
        await Task.yield()
        return true
      }
      await withDiscardingTaskGroup { group in
        for _ in 0..<2 { group.addTask { _ = await account.withdraw(80) } }
      }
      #expect(await account.balance >= 0)
    }
  }

  @MainActor final class Search {
    private(set) var results = ""
    private var tasks: [Task<Void, Never>] = []
    let find: @Sendable (String) async -> String

    init(find: @escaping @Sendable (String) async -> String) { self.find = find }

    func type(_ text: String) {
      tasks.append(Task { results = await find(text) })
    }

    func finish() async { for task in tasks { await task.value } }
  }

  @Test("The article's view model shows an older answer, and the report says so")
  func viewModel() async {
    let issues = await recordedIssues {
      await explore(seeds: 1_000) { @MainActor in
        let search = Search { text in
          try? await Task.sleep(for: .milliseconds(text.count == 1 ? 300 : 200))
          return text
        }
        search.type("a")
        search.type("ab")
        await search.finish()
        #expect(search.results == "ab")
      }
    }
    #expect(issues.say("explore: seed 0 recorded an issue", "sleeps", "on MainActor"))
  }

  @Suite struct Repaired {
    @MainActor final class Search {
      private(set) var results = ""
      private var tasks: [Task<Void, Never>] = []
      let find: @Sendable (String) async -> String

      init(find: @escaping @Sendable (String) async -> String) { self.find = find }

      func type(_ text: String) {
        tasks.last?.cancel()
        tasks.append(
          Task {
            let found = await find(text)
            if !Task.isCancelled { results = found }
          })
      }

      func finish() async { for task in tasks { await task.value } }
    }

    @Test func newestAnswerIsShown() async {
      await explore(seeds: 1_000) { @MainActor in
        let search = Search { text in
          try? await Task.sleep(for: .milliseconds(text.count == 1 ? 300 : 200))
          return text
        }
        search.type("a")
        search.type("ab")
        await search.finish()
        #expect(search.results == "ab")
      }
    }
  }

  private struct Poller {
    let every: Duration
    let clock: TestClock

    var answers: AsyncStream<Int> {
      AsyncStream(unfolding: {
        try? await clock.sleep(for: every)
        return Task.isCancelled ? nil : 1
      })
    }
  }

  @Test("The article's hour takes no time")
  func anHour() async {
    await explore(seeds: 20, allowing: [.noChoice]) {
      let clock = TestClock()
      let poller = Poller(every: .seconds(60), clock: clock)
      let answers = Recorder(poller.answers)
      await answers.wait(for: 60)
      #expect(clock.now.offset == .seconds(3_600))
    }
  }

  @Test("A task that is started on the exploration's executor belongs to it")
  func ownTask() async {
    let orders = await withTaskGroup(of: ExplorationTrace.self) { group in
      for _ in 0..<20 {
        group.addTask {
          await Exploration().run(seed: 3) {
            let task = Task(executorPreference: Exploration.executor) {
              for _ in 0..<5 { await Task.yield() }
            }
            for _ in 0..<5 { await Task.yield() }
            await task.value
          }.trace
        }
      }
      return await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(orders.count == 1)
    #expect(orders.first.map { $0.jobs > 10 } == true)
  }
}
