@testable import ExploreTesting

/// X5 to X8: failures that explain themselves.
@Suite struct ReportTests {
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
      let exploration = Exploration(seeds: 10_000, strategy: .pct)
      let scenario: @Sendable () async throws -> Void = {
        try await PlantedBug(steps: 20, mustStay: mustStay).run()
      }
      let context = TestContext()
      defer { context.end() }
      var seeds = SeedPlans(exploration)
      let result = await exploration.loop(over: &seeds, in: context, judge: { $1 }, scenario)
      let failure = try #require(result.failure)
      let failed = try #require(result.failed)
      let explanation = try #require(
        await exploration.explain(failure, of: failed, in: context, judge: { $1 }, scenario))
      #expect(explanation.isFewest)
      #expect(explanation.switches.count <= depth)
    }
  }

  /// Shrinks a failing run of a scenario with eight points at which it can switch.
  ///
  /// The run fails if it switches at every point in one of `sets`.
  ///
  /// At each point, some of four other tasks may run. A task that runs at no point runs at the end.
  private func shrunk(
    failing sets: [Set<Int>], in budget: Duration = .seconds(10)
  ) async throws -> (count: Int, isFewest: Bool, runs: Int) {
    let context = TestContext()
    defer { context.end() }
    let runs = Log<[Int]>()
    func attempt(_ plan: RunPlan) async -> (FinishedRun, fails: Bool) {
      let finished = await Exploration().run(plan, in: context) {
        let place = Counter()
        let seen = Log<Int>()
        let others = (0..<4).map { _ in Task { seen.append(place.value) } }
        for _ in 0..<8 {
          preemptionPoint()
          place.increment()
        }
        for other in others { await other.value }
        runs.append(seen.all)
        if sets.contains(where: { $0.isSubset(of: seen.all) }) { throw CancellationError() }
      }
      return (finished, finished.run.failure != nil)
    }
    for seed in 0..<10_000 as Range<UInt64> {
      var plan = RunPlan(seed: seed, Chooser(.uniform, seed: seed))
      plan.isRecorded = true
      let (finished, fails) = await attempt(plan)
      // Choose a failing run that can be reduced only to the first set.
      let places = runs.all.last ?? []
      guard fails, sets.dropFirst().allSatisfy({ !$0.isSubset(of: places) }) else { continue }
      var shrinker = Shrinker(plan, budget: budget, attempt: attempt)
      let before = runs.all.count
      let result = await shrinker.shrink(finished.schedule)
      return (result.schedule.taken.count, result.isFewest, runs.all.count - before)
    }
    throw CancellationError()
  }

  @Test("X5: the fewest switches are found even if removing a single switch does not help")
  func fewest() async throws {
    // No single point can be removed from 0, 1 and 2, yet the points 5 and 7 are enough.
    for (sets, count) in [([[0, 1, 2], [5, 7]], 2), ([[0, 1, 2], [4]], 1), ([[]], 0)] {
      let result = try await shrunk(failing: sets.map { Set($0) })
      #expect(result.count == count && result.isFewest)
    }
  }

  @Test("X5: an unfinished search does not claim to have found the fewest switches")
  func notFinished() async throws {
    let result = try await shrunk(failing: [[0, 1, 2]], in: .zero)
    #expect(result.count >= 3 && !result.isFewest && result.runs == 1)
  }

  @Test(
    "X6: the report has a lane for each task, a line for each step, task names and watched values")
  func lanes() async {
    let issues = await recordedIssues { await explore(seeds: 100, Self.overdrawn) }
    #expect(issues.say("1 forced switch (>)"))
    #expect(issues.say("2 first"))
    #expect(issues.say("3 second"))
    #if DEBUG
      // An optimized build inlines the function that hops.
      #expect(issues.say("hops to Account in", "withdraw"))
    #endif
    #expect(issues.say("[balance: 20 -> -60]"))
  }

  @Test("X6: the lanes are pure ASCII, so `swift test` does not drop any of them")
  func ascii() async {
    let issues = await recordedIssues {
      await explore(seeds: 100, Self.overdrawn)
    }
    let reports = issues.flatMap(\.comments).map(\.rawValue).filter { $0.contains("1 scenario") }
    #expect(reports.count == 1)
    #expect(reports.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } })
  }

  #if os(Linux)
    @Test(
      "X6: the report marks a step in the middle of another one, and numbers a task that never waits"
    )
    func inTheMiddle() async {
      let issues = await recordedIssues {
        await explore(seeds: 100) {
          let isSet = Mutex(false)
          let task = Task { #expect(isSet.withLock { $0 }) }
          isSet.withLock { $0 = true }
          await task.value
        }
      }
      #expect(issues.say("    2 task 2\n", "task 2    in the middle of scenario  ends"))
    }
  #endif

  @Test("X6: the deadline of a cancelled sleep is not shown as a step of its task")
  func cancelledSleep() async {
    let issues = await recordedIssues {
      await explore(seeds: 1) {
        let sleeper = Task(name: "sleeper") { try? await Task.sleep(for: .seconds(1)) }
        await untilIdle()
        sleeper.cancel()
        await sleeper.value
        try await Task.sleep(for: .seconds(2))
        Issue.record("late")
      }
    }
    let report = issues.map { "\($0.comments)" }.joined()
    #expect(report.contains("sleeper   sleeps 1.0 s"))
    #expect(report.ranges(of: /sleeper +ends/).count == 1)
  }

  // This test needs a debug build, because an optimized build may remove suspensions.
  #if os(Linux) && DEBUG
    @Test("X6: a deadline that passes while its task is running does not end the task's step")
    func deadlineInTheMiddle() async {
      let context = TestContext()
      defer { context.end() }
      var exploration = Exploration(strategy: .uniform)
      exploration.interrupts = true
      for seed in 0..<500 as Range<UInt64> {
        let recorder = RunRecorder()
        var plan = RunPlan(seed: seed, Chooser(.uniform, seed: seed, interrupts: true))
        plan.recorder = recorder
        _ = await exploration.run(plan, in: context) {
          let sleeper = Task(name: "sleeper") {
            let other = Task.detached { try? await Task.sleep(for: .seconds(1)) }
            try? await Task.sleep(for: .seconds(1))
            await other.value
            await Task {}.value
          }
          await untilIdle()
          sleeper.cancel()
          await sleeper.value
        }
        let lane = recorder.run.lanes.firstIndex { $0.name == "sleeper" }
        #expect(!recorder.run.steps.contains { $0.lane == lane && $0.state == .ready })
      }
    }
  #endif

  @Test("X7: the report of a stall says who waits for whom, and names the cycle")
  func cycle() async {
    let issues = await recordedIssues {
      await explore(seeds: 1, patience: .zero, allowing: [.noChoice]) {
        let box = Mutex<Task<Void, Never>?>(nil)
        let first = Task(name: "first") {
          await Task.yield()
          await box.withLock { $0 }?.value
        }
        box.withLock { $0 = Task(name: "second") { await first.value } }
        await first.value
      }
    }
    #expect(issues.say("first awaits second"))
    #expect(issues.say("a cycle: first -> second -> first"))
  }

  @Test("X8: a schedule that is read from a file equals the schedule that was written")
  func file() throws {
    let after = ForcedSwitch.Moment(task: 7, step: 3, point: 1)
    let file = ReplayFile(
      test: "A/B.swift c()", seed: 4_711, switches: [ForcedSwitch(after: after, run: .max)])
    #expect(ReplayFile(text: file.text) == file)
    #expect(ReplayFile(text: "explore 2\n") == nil)
    #expect(ReplayFile(text: "explore 1\nswitch 1 2\n") == nil)
  }

  @Test(
    "X5: a preemption point is counted even if no other task can run at that point")
  func points() async {
    let context = TestContext()
    defer { context.end() }
    let seen = Log<Int>()
    let scenario: @Sendable () async throws -> Void = {
      preemptionPoint()
      let count = Counter()
      let task = Task { seen.append(count.value) }
      preemptionPoint()
      count.increment()
      preemptionPoint()
      await task.value
    }
    var plan = RunPlan(seed: 0, Chooser(.mixed, seed: 0))
    var cursor = SearchCursor(bound: 1)
    var points: [[Int]] = []
    repeat {
      plan = plan.taking(Chooser(searching: cursor, interrupts: false))
      let schedule = await Exploration().run(plan, in: context, scenario).schedule
      points.append(schedule.taken.map { $0.after.point >> 16 })
      cursor = schedule.chooser.cursor
    } while cursor.advance()
    // The search is depth-first, so it tries the last point for a switch first.
    #expect(points == [[], [3], [2]])
    #expect(seen.all == [1, 1, 0])
  }

  @Test("X6: the report of a run of 1,000 tasks is short")
  func manyTasks() async {
    let issues = await recordedIssues {
      await explore(seeds: 1) {
        await withDiscardingTaskGroup { group in
          for _ in 0..<1_000 { group.addTask { await Task.yield() } }
        }
        Issue.record("at the end")
      }
    }
    let length = issues.map { "\($0.comments)".count }.max() ?? 0
    #expect(issues.say("earlier steps"))
    #expect(length < 20_000)
  }

  @Test("X6: the report ends where the run failed")
  func ending() async {
    let issues = await recordedIssues {
      await explore(seeds: 1, jobLimit: 100, allowing: [.noChoice]) {
        while true { await Task.yield() }
      }
    }
    #expect(issues.say("  ... 40 earlier steps\n", "\n 100 "))
    #expect(!issues.say("\n 101 "))
  }

  @Test("X6: equal task names are numbered, and a location in the task's own function is omitted")
  func names() {
    func place(_ name: String) -> Symbols.Place {
      Symbols.Place(function: FunctionName(demangled: "Zoo.\(name)()"), line: nil)
    }
    let symbols = Symbols([1: place("f"), 2: place("g")])
    let long = "closure #1 in a(function: With, a: Long, name: Int)"
    for (name, shown) in [(long, "\(long) (2)  continues in g"), (nil, "f (2)  continues in g")] {
      var run = RecordedRun()
      for _ in 0..<2 {
        var lane = RecordedRun.Lane(name: name)
        lane.origin = [1]
        run.lanes.append(lane)
        var step = RecordedRun.Step(lane: run.lanes.count - 1, executor: nil, isForced: false)
        step.functions = [1]
        run.steps.append(step)
      }
      run.steps[1].functions = [2, 1]
      let text = LaneReport(run: run, symbols: symbols).description
      #expect(text.contains(shown))
      #expect(text.contains("f (1)  continues\n") || name != nil)
    }
  }

  @Test("X13: a cycle at the end of a chain of 100,000 waiting tasks is found")
  func chain() {
    var lanes = (0..<100_000).map { number in
      var lane = RecordedRun.Lane(name: "task \(number)")
      lane.state = .awaitsTask(number + 1)
      return lane
    }
    lanes[99_999].state = .awaitsTask(99_998)
    let report = WaitReport(lanes, shown: [], Symbols([:]))
    let lines = report.lines(of: Array(lanes.indices))
    #expect(lines.first == "a cycle: task 99998 -> task 99999 -> task 99998")
    #expect(lines.last == "... and 99940 more")
  }

  @Test(
    "X6: a function's name is shown as it is written in the source",
    arguments: [
      ("Zoo.Bank.transfer(Swift.Int) async throws -> ()", "Bank.transfer"),
      ("BankTesting.Bank.thunked(with: Testing.Issue) async -> ()", "Bank.thunked"),
      ("static Zoo.(Bank in _0AF9).open() async -> Zoo.Bank", "Bank.open"),
      ("(extension in Zoo):Swift.Array.sum() async -> Swift.Int", "Array.sum"),
      (
        "closure #1 @Sendable () async -> () in closure #2 @Sendable (inout Swift.TaskGroup<()>) "
          + "async -> () in Zoo.sumUp(Zoo.Counter, Swift.Array<Swift.Int>) async -> ()",
        "closure #2.1 in sumUp"
      ),
      (
        "Zoo.Shop.buy(@Sendable () async -> ()) async -> Swift.Bool",
        "Shop.buy"
      ),
      (
        "Zoo.first<A where A: AsyncOptical.Dispatcher, A.State == () -> ()>(of: A) async -> A.State",
        "first"
      ),
      ("static Zoo.Bank.< infix(Zoo.Bank, Zoo.Bank) -> Swift.Bool", "Bank.< infix"),
      ("Zoo.Bank.total.getter : Swift.Int", "Bank.total.getter"),
      ("Zoo.open@Sendable () async throws -> ()", "open"),
      ("Zoo.Bank.(in _597919F7D38DEEEE06C1887B048B65A5).init(Swift.Int) -> Zoo.Bank", "Bank.init"),
    ])
  func functionNames(_ demangled: String, _ shown: String) {
    let name = FunctionName(demangled: "(1) await resume partial function for \(demangled)")
    #expect(name.description == shown)
    #expect(!name.isOurs)
  }

  @Test(
    "X6: functions of libraries and of the compiler are left out",
    arguments: [
      "protocol witness for Swift.Clock.sleep(until: A.Instant) async throws -> () in conformance "
        + "Swift.ContinuousClock : Swift.Clock in Swift",
      "(extension in Swift):Swift.Clock.sleep(for: A.Duration) async throws -> ()",
      "generic specialization <Swift.ContinuousClock> of static (extension in Swift):Swift.Task< where "
        + "A == Swift.Never, B == Swift.Never>._sleep<A where A1: Swift.Clock>(until: A1.Instant) "
        + "async throws -> ()",
      "static Zoo.($s3Zoo4TestfMp_17Z75e0fMu_ in _0AF9)() async throws -> ()",
      "closure #1 () async -> () in AsyncKnotTesting.Recorder.init<A>(A) -> A",
      "closure #1 @Sendable () async -> () in static AsyncKnot.Spawn.apart(priority: Swift.TaskPriority) "
        + "-> Swift.Task<(), Swift.Never>",
      "(extension in AsyncOptical):AsyncOptical.Opticle.consume<A where A1: Swift.AsyncSequence>(A1) "
        + "async -> ()",
      "protocol witness for AsyncOptical.Dispatcher.carryOut(dispatched: A.Dispatched) async -> () in "
        + "conformance Zoo.Feed : AsyncOptical.Dispatcher in Zoo",
      "reabstraction thunk helper from @escaping @callee_guaranteed () -> ()",
    ])
  func libraryNames(_ demangled: String) {
    #expect(FunctionName(demangled: "(1) await resume partial function for \(demangled)").isOurs)
  }

  @Test(
    "X6: a report never names a compiler-generated function",
    arguments: [
      ("reabstraction thunk helper <A, B where A: Swift.Sendable> from @escaping () -> A", true),
      ("thunk for @escaping @callee_guaranteed () -> ()", true),
      ("Zoo.thunk() async -> ()", false),
    ])
  func glue(_ demangled: String, _ isGlue: Bool) {
    let name = FunctionName(
      demangled: "(1) await resume partial function for partial apply forwarder for \(demangled)")
    #expect(name.isGlue == isGlue)
  }
}
