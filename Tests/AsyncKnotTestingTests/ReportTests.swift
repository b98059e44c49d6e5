@testable import AsyncKnotTesting
import TestSupport
import Testing

/// X5 to X8: failures that explain themselves.
@Suite struct ReportTests {
  private actor Account {
    private(set) var balance = 100
    func withdraw(_ amount: Int) async {
      guard balance >= amount else { return }
      await Task.yield()
      balance -= amount
    }
  }

  private static let overdrawn: @Sendable () async throws -> Void = {
    let account = Account()
    watch("balance", of: account) { $0.balance }
    let first = Task(name: "first") { await account.withdraw(80) }
    let second = Task(name: "second") { await account.withdraw(80) }
    await first.value
    await second.value
    #expect(await account.balance >= 0)
  }

  @Test("X5: a planted bug of depth d shrinks to at most d forced switches")
  func planted() async throws {
    for (mustStay, depth) in [(false, 2), (true, 3)] {
      let exploration = Exploration(seeds: 10_000, strategy: .pct(depth: depth))
      let scenario: @Sendable () async throws -> Void = {
        try await PlantedBug(steps: 20, mustStay: mustStay).run()
      }
      let context = TestContext()
      defer { context.end() }
      let (outcome, measure) = await exploration.outcome(
        only: nil, in: context, hasIssue: { false }, scenario)
      let failure = try #require(outcome.failure)
      let explanation = await exploration.explain(
        failure, measure: measure, in: context, hasIssue: { false }, scenario)
      #expect(explanation.isReproduced && explanation.isFewest)
      #expect(explanation.switches.count <= depth)
    }
  }

  /// A world of eight places for a switch, in which some sets of them make a run fail.
  private func shrunk(_ switches: [Int], failing sets: [Set<Int>]) async -> Shrinker.Result {
    func forced(_ number: Int) -> ForcedSwitch {
      ForcedSwitch(after: ForcedSwitch.Moment(task: 1, step: number), run: 2)
    }
    var shrinker = Shrinker { schedule in
      let numbers = schedule.map(\.after.step)
      let later = ((numbers.last ?? -1) + 1)..<8
      return Shrinker.Attempt(
        fails: sets.contains { $0.isSubset(of: numbers) }, met: schedule,
        alternatives: later.map(forced), account: RunAccount())
    }
    return await shrinker.shrink(switches.map(forced))
  }

  @Test("X5: the fewest switches are found where taking one away leads nowhere")
  func fewest() async {
    // Nothing can be taken from 0, 1, 2; yet 5 and 7 are enough.
    let pair = await shrunk([0, 1, 2, 3], failing: [[0, 1, 2], [5, 7]])
    #expect(pair.switches.map(\.after.step) == [5, 7] && pair.isFewest)
    let single = await shrunk([0, 1, 2, 6], failing: [[0, 1, 2], [4]])
    #expect(single.switches.map(\.after.step) == [4] && single.isFewest)
    let none = await shrunk([0, 1], failing: [[]])
    #expect(none.switches.isEmpty && none.isFewest)
  }

  @Test("X5: a search that is not finished is not called one")
  func notFinished() async {
    var runs = 0
    var shrinker = Shrinker { schedule in
      runs += 1
      let all = (0..<100).map {
        ForcedSwitch(after: ForcedSwitch.Moment(task: 1, step: $0), run: 2)
      }
      var account = RunAccount()
      account.jobs = 100
      return Shrinker.Attempt(
        fails: schedule.count == 3, met: schedule, alternatives: all, account: account)
    }
    shrinker.budget = 20_000
    let switches = (0..<3).map {
      ForcedSwitch(after: ForcedSwitch.Moment(task: 9, step: $0), run: 2)
    }
    let result = await shrinker.shrink(switches)
    #expect(result.switches == switches && !result.isFewest)
    #expect(runs < 200)
  }

  @Test("X6: the report has a lane a task, a line a step, names and watched values")
  func lanes() async {
    let issues = await recordedIssues { await explore(seeds: 100, Self.overdrawn) }
    #expect(issues.say("1 forced switch (▶)"))
    #expect(issues.say("2 first"))
    #expect(issues.say("3 second"))
    #if DEBUG
      // An optimised build inlines the function that hops.
      #expect(issues.say("hops to Account in", "withdraw(Int)"))
    #endif
    #expect(issues.say("[balance: 20 → -60]"))
  }

  @Test("X7: a stall names who waits for whom, and the circle")
  func circle() async {
    let issues = await recordedIssues {
      await explore(seeds: 1, patience: .zero, allowing: [.noChoice]) {
        let box = ResultBox<Task<Void, Never>?>(nil)
        let first = Task(name: "first") {
          await Task.yield()
          await box.value?.value
        }
        box.value = Task(name: "second") { await first.value }
        await first.value
      }
    }
    #expect(issues.say("first awaits second"))
    #expect(issues.say("a circle: first → second → first"))
  }

  @Test("X8: a schedule comes back from its file as it was")
  func file() throws {
    let after = ForcedSwitch.Moment(task: 7, step: 3, point: 1)
    let file = ReplayFile(
      test: "A/B.swift c()", seed: 4_711, switches: [ForcedSwitch(after: after, run: .max)])
    #expect(ReplayFile(text: file.text) == file)
    #expect(ReplayFile(text: "explore 2\n") == nil)
    #expect(ReplayFile(text: "explore 1\nswitch 1 2\n") == nil)
  }

  @Test("X8: a schedule that the program no longer takes says where it diverges")
  func divergence() async {
    let context = TestContext()
    defer { context.end() }
    let after = ForcedSwitch.Moment(task: 1, step: 1)
    let plan = RunPlan(seed: 0, following: [ForcedSwitch(after: after, run: 12_345)])
    let (_, schedule) = await Exploration().run(plan, in: context, Self.quiet)
    #expect(schedule.script.divergence?.step == 1)
    #expect(schedule.script.met.isEmpty)
  }

  private static let quiet: @Sendable () async throws -> Void = {
    await Task { await Task.yield() }.value
  }

  @Test("A function's name is shown as its author writes it")
  func functionNames() {
    let name = FunctionName(
      demangled:
        "(1) await resume partial function for Zoo.Bank.transfer(Swift.Int) async throws -> ()")
    #expect(name.description == "Bank.transfer(Int)")
    #expect(!name.isOurs)
  }
}
