import Dispatch
@testable import ExploreTesting

/// The code that an exploration controls, and how it handles code that it does not control.
@Suite struct ControlTests {
  private actor Ledger {
    var entries: [Int] = []
    func append(_ entry: Int) { entries.append(entry) }
  }

  @MainActor private final class View {
    var count = 0
    func draw() { count += 1 }
  }

  /// A custom executor that runs its jobs on the global executor, one after another.
  private final class Elsewhere: SerialExecutor {
    private let queue = AsyncStream.makeStream(of: UnownedJob.self)

    init() {
      Task.detached { [weak self, jobs = queue.stream] in
        for await job in jobs {
          guard let self else { return }
          job.runSynchronously(on: asUnownedSerialExecutor())
        }
      }
    }

    let jobs = Atomic(0)

    func enqueue(_ job: consuming ExecutorJob) {
      jobs.add(1, ordering: .relaxed)
      queue.continuation.yield(UnownedJob(job))
    }
  }

  private actor Stranger {
    private let executor: Elsewhere
    var count = 0
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    init(_ executor: Elsewhere) { self.executor = executor }
    func visit() { count += 1 }
  }

  @globalActor private actor Library {
    static let shared = Library()
    var loans = 0
    func lend() { loans += 1 }
  }

  @Library private static func read() -> Int { 0 }

  @Test("X1: the first run that uses a global actor in a process has the same trace as later runs")
  func firstTouch() async {
    await #expect(processExitsWith: .success) {
      await ControlTests.touchTwice()
    }
  }

  private static func touchTwice() async {
    let scenario: @Sendable () async -> Void = {
      await withDiscardingTaskGroup { group in
        for _ in 0..<3 { group.addTask { _ = await Self.read() } }
      }
    }
    let exploration = Exploration()
    let first = await exploration.run(seed: 1, scenario)
    let second = await exploration.run(seed: 1, scenario)
    precondition(first.trace == second.trace, "\(first.trace) \(second.trace)")
    precondition(!first.account.hasForeignWork && !second.account.hasForeignWork)
  }

  #if os(Linux)
    @Test("X16: the kit finds all the fields and functions of this runtime that it uses")
    func known() { #expect(Control.missing.isEmpty) }

    @Test("X16: the message about missing fields names each one and what does not work without it")
    func said() throws {
      #expect(Control.message == nil)
      let message = try #require(Control.message(on: [.sleeps, .waits]))
      #expect(
        message.contains("\n  sleeps: a task that sleeps, except on a TestClock, leaves the run"))
      #expect(message.contains("\n  what a task waits for: reports leave it out"))
    }
  #endif

  @Test(
    "X21: an exploration whose tasks sleep fails if the kit does not control the clocks, and the failure names the clocks"
  )
  func sleptByRealClocks() async throws {
    var exploration = Exploration()
    let account = await exploration.outcome {
      for _ in 0..<2 { Task { try? await Task.sleep(for: .seconds(1)) } }
    }.account
    #expect(account.sleeps == 2_000)
    #expect(exploration.failure(of: account, missing: []) == nil)
    #expect(exploration.failure(of: account, missing: [.chance, .names]) == nil)
    let failure = try #require(exploration.failure(of: account, missing: [.clocks]))
    #expect(failure.description.contains("ContinuousClock and SuspendingClock show real time"))
    exploration.allowing = [.missingSeams]
    #expect(exploration.failure(of: account, missing: [.clocks]) == nil)
    #expect(Control.unseen(of: [.names, .chance, .clocks]) == [.chance, .clocks])
  }

  // This test needs a debug build, because the optimizer removes these hops.
  @Test(
    "X2: a hop to a global actor is a decision, even in a run after the one that created the actor",
    .enabled(if: _isDebugAssertConfiguration()))
  func globalActor() async {
    for _ in 0..<2 {
      let orders = Log<[Int]>()
      await explore(seeds: 200) {
        let log = Log<Int>()
        await withDiscardingTaskGroup { group in
          for task in 0..<2 {
            group.addTask {
              for _ in 0..<2 {
                _ = await Self.read()
                log.append(task)
              }
            }
          }
        }
        orders.append(log.all)
      }
      #expect(Set(orders.all).count == 6)
    }
  }

  @Test(
    "X2: an immediate task belongs to the run, wherever it first suspends",
    arguments: 0..<4)
  func immediate(_ place: Int) async {
    await explore(seeds: 50, patience: .zero, allowing: [.noChoice]) {
      let ledger = Ledger()
      let log = Log<Int>()
      let task = Task.immediate {
        log.append(1)
        switch place {
        case 0: await Task.yield()
        case 1: try? await Task.sleep(for: .seconds(1))
        case 2: await ledger.append(2)
        default: await Task {}.value
        }
        log.append(3)
        return Exploration.seed
      }
      log.append(2)
      #expect(await task.value == Exploration.seed)
      // If the task suspends, another thread may resume it before its creator continues.
      #expect([[1, 2, 3], [1, 3, 2]].contains(log.all))
    }
  }

  @Test("X2: a task whose executor preference is nil belongs to the run")
  func noPreference() async {
    await explore(seeds: 50, patience: .zero) {
      let tasks = (0..<2).map { _ in
        Task(executorPreference: nil) {
          await Task.yield()
          return Exploration.seed
        }
      }
      for task in tasks { #expect(await task.value == Exploration.seed) }
    }
  }

  @Test("X2: an immediate task on the main actor or in a group belongs to the run")
  func immediateElsewhere() async {
    await explore(seeds: 50, patience: .zero) { @MainActor in
      let log = Log<Int>()
      let task = Task.immediate { @MainActor in
        MainActor.assertIsolated()
        log.append(1)
        await Task.yield()
        MainActor.assertIsolated()
        log.append(3)
      }
      log.append(2)
      await withDiscardingTaskGroup { group in
        for _ in 0..<2 { group.addImmediateTask { await Task.yield() } }
      }
      await task.value
      #expect(log.all == [1, 2, 3])
    }
  }

  #if os(Linux)
    @Test("X2: in a run, dispatchPrecondition(.onQueue(.main)) holds only on the main actor")
    func mainQueue() async {
      await explore(seeds: 10, allowing: [.noChoice]) { @MainActor in
        let task = Task { dispatchPrecondition(condition: .onQueue(.main)) }
        dispatchPrecondition(condition: .onQueue(.main))
        await task.value
      }
      await #expect(processExitsWith: .failure) {
        await explore(seeds: 1, allowing: [.noChoice]) {
          dispatchPrecondition(condition: .onQueue(.main))
        }
      }
    }
  #endif

  @Test("X2: main-actor code belongs to the run")
  func mainActor() async {
    await explore(seeds: 100) {
      let view = View()
      await withDiscardingTaskGroup { group in
        for _ in 0..<3 { group.addTask { for _ in 0..<3 { await view.draw() } } }
      }
      #expect(await view.count == 9)
    }
  }

  @Test("Time does not move while the scenario awaits main-actor code")
  func mainActorBeforeTime() async {
    await explore(seeds: 100) {
      let clock = TestClock()
      let view = View()
      await withDiscardingTaskGroup { group in
        group.addTask { try? await clock.sleep(for: .seconds(1)) }
        group.addTask {
          await view.draw()
          #expect(clock.now.offset == .zero)
        }
      }
    }
  }

  @Test("An actor with a custom executor runs on it, and the exploration waits for the actor")
  func customExecutor() async {
    let executor = Elsewhere()
    await explore(seeds: 100, patience: .seconds(30), allowing: [.foreignWork]) {
      let stranger = Stranger(executor)
      await withDiscardingTaskGroup { group in
        for _ in 0..<3 { group.addTask { for _ in 0..<3 { await stranger.visit() } } }
      }
      #expect(await stranger.count == 9)
      #expect(executor.jobs.exchange(0, ordering: .relaxed) >= 9)
    }
  }

  @Test("A task that outlives its scenario runs to its end before the next seed")
  func leftovers() async {
    let ended = Counter()
    await explore(seeds: 50, allowing: [.noChoice]) {
      let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
      continuation.onTermination = { _ in ended.increment() }
      _ = Recorder(stream)
    }
    #expect(ended.value == 50)
  }

  @Test("X2: calls to untilIdle return in turn, so no task can keep the others waiting")
  func idleInTurn() async {
    await explore(seeds: 20, allowing: [.noChoice]) {
      let isDone = Counter()
      let loop = Task { while isDone.value == 0 { await untilIdle() } }
      let other = Task {
        await untilIdle()
        isDone.increment()
      }
      await loop.value
      await other.value
    }
  }

  @Test("A task that still sleeps when its scenario has ended is woken before the next seed")
  func sleepingLeftovers() async {
    let woken = Counter()
    await explore(seeds: 50, allowing: [.noChoice]) {
      Task {
        try? await Task.sleep(for: .seconds(60))
        woken.increment()
      }
    }
    #expect(woken.value == 50)
  }

  @Test("An exploration inside a scenario is independent of the outer one")
  func nested() async {
    await explore(seeds: 5, allowing: [.noChoice]) {
      let inner = Counter()
      await explore(seeds: 5, allowing: [.noChoice]) {
        await Task.yield()
        inner.increment()
      }
      #expect(inner.value == 5)
    }
  }

  @Test("X2, X3: if a job interrupts another one, an exploration inside it also interrupts jobs")
  func nestedInAnInterruption() async {
    var exploration = Exploration(seeds: 200, allowing: [.noChoice])
    exploration.interrupts = true
    await explore(exploration) { [exploration] in
      let inner = Counter()
      let task = Task {
        var nested = exploration
        nested.seeds = 2
        await explore(nested) {
          let task = Task { _ = inner.increment() }
          for _ in 0..<3 { preemptionPoint() }
          await task.value
        }
      }
      for _ in 0..<3 { preemptionPoint() }
      await task.value
      #expect(inner.value == 2)
    }
  }

  private actor Old {
    private(set) var calls = 0
    func call() { calls += 1 }
  }

  @Test("X3: an exploration inside a scenario fails if it would wait for the outer one to end")
  func nestedTurn() async {
    let old = Old()
    let options = Exploration(seeds: 2, allowing: [.noChoice])
    let failure = await options.firstFailure {
      await old.call()
      let inner = await options.firstFailure { await old.call() }
      try hold("\(inner, default: "none")".contains("innermost scenario"), "\(inner as Any)")
      await old.call()
    }
    #expect(failure == nil)
    #expect(await old.calls == 4)
  }

  @Test("X3: an exploration fails if it would wait for one inside its scenario to end")
  func nestedTurnAtOnce() async {
    let old = Old()
    // In the meantime, other tests may use actors that are older than their runs.
    let failure = await Exploration(
      seeds: 10, patience: .seconds(60), allowing: [.foreignWork]
    ).firstFailure {
      let (inside, signal) = AsyncStream.makeStream(of: Void.self)
      let task = Task {
        for await _ in inside { await old.call() }
      }
      let inner = await Exploration(seeds: 1, allowing: [.noChoice, .foreignWork]).firstFailure {
        await old.call()
        signal.yield()
        signal.finish()
        await task.value
      }
      await task.value
      try hold(inner == nil, "\(inner as Any)")
    }
    #expect("\(failure, default: "none")".contains("innermost scenario"), "\(failure as Any)")
  }

  @Test("X4, X8: an exploration inside a scenario ignores the variables that replay the outer one")
  func nestedReplay() async {
    #expect(ReplayEnvironment.current { $0 == "EXPLORE_SEED" ? "4" : nil }.seed == 4)
    await explore(seeds: 1, allowing: [.noChoice]) {
      #expect(ReplayEnvironment.current { $0 == "EXPLORE_SEED" ? "4" : nil }.seed == nil)
    }
  }

  @Test("A preemption point in main-actor code lets other jobs run, one at a time")
  func preemptionElsewhere() async {
    await explore(seeds: 100) {
      let running = Counter()
      let overlaps = Counter()
      await withDiscardingTaskGroup { group in
        group.addTask { @MainActor in for _ in 0..<10 { preemptionPoint() } }
        for _ in 0..<3 {
          group.addTask {
            for _ in 0..<5 {
              if running.increment() != 0 { overlaps.increment() }
              running.decrement()
              await Task.yield()
            }
          }
        }
      }
      #expect(overlaps.value == 0)
    }
  }
}
