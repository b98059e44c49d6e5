import Dispatch

/// X4: what an exploration counts, and when those counts make it fail.
@Suite struct AccountTests {
  @Test("X4: an exploration in which no run has a choice fails, unless that is allowed")
  func noChoice() async {
    let issues = await recordedIssues { await explore(seeds: 10) { await Task.yield() } }
    #expect(issues.say("no run ever had a choice", "allowing: [.noChoice]"))
    let allowed = await recordedIssues {
      await explore(seeds: 10, allowing: [.noChoice]) { await Task.yield() }
    }
    #expect(allowed.isEmpty)
  }

  /// Waits for a callback from a queue, like a caller of a system service.
  private static let callBack: @Sendable () async throws -> Void = {
    await withCheckedContinuation { continuation in
      // The callback comes from a new task, which starts only when this task waits. A callback that arrives earlier does not
      // count as foreign work.
      Task { DispatchQueue.global().async { continuation.resume() } }
    }
  }

  @Test("X4: a run that takes jobs from other threads fails, unless foreign work is allowed")
  func foreignWork() async {
    let issues = await recordedIssues {
      await explore(seeds: 10, patience: .seconds(30), Self.callBack)
    }
    #expect(
      issues.say(
        "had foreign work", "1 job came from other threads, the first for a task in", "callBack",
        "allowing: [.foreignWork]"))
    let allowed = await recordedIssues {
      await explore(
        seeds: 10, patience: .seconds(30), allowing: [.foreignWork, .noChoice], Self.callBack)
    }
    #expect(allowed.isEmpty)
  }

  @Test("X4: runs, different schedules, jobs, choices and foreign jobs are counted")
  func counts() async {
    let outcome = await Exploration(seeds: 200, strategy: .uniform).outcome {
      await withDiscardingTaskGroup { group in
        for _ in 0..<3 { group.addTask {} }
      }
    }
    #expect(outcome.account.runs == 200)
    // The three tasks can start in six orders.
    #expect(outcome.account.schedules == 6)
    // In each run, the scenario begins, the three tasks run, and the scenario ends.
    #expect(outcome.account.jobs == 200 * 5)
    // There is a choice while at least two tasks are ready.
    #expect(outcome.account.choices == 200 * 2)
    #expect(outcome.account.foreignJobs == 0)
  }

  @Test("X4: schedules that differ only in the moment of an interruption are counted separately")
  func interrupted() async {
    var exploration = Exploration(seeds: 5_000, strategy: .uniform)
    exploration.interrupts = true
    let outcome = await exploration.outcome {
      await withDiscardingTaskGroup { group in
        for _ in 0..<2 { group.addTask {} }
      }
    }
    // `exploreAll` also counts 13 schedules.
    #expect(outcome.account.schedules == 13)
  }

  @Test("X4: issues recorded in Task {} and Task.detached count, and name their seed")
  func issuesAnywhere() async {
    for isDetached in [false, true] {
      let issues = await recordedIssues {
        await explore(seeds: 10, allowing: [.noChoice]) {
          let seed = Exploration.seed
          if isDetached {
            await Task.detached { #expect(seed != 4) }.value
          } else {
            await Task { #expect(seed != 4) }.value
          }
        }
      }
      #expect(issues.say("in the run of seed 4"))
      #expect(issues.say("explore: seed 4 recorded an issue"))
    }
  }

  private enum Local { @TaskLocal static var number = 0 }

  @Test(
    "X2: a detached task sees no task-local values of the scenario or the test, as in production")
  func detachedLocals() async {
    await Local.$number.withValue(3) {
      await explore(seeds: 20) {
        #expect(Local.number == 3)
        await Local.$number.withValue(7) {
          let detached = Task.detached { Local.number }
          let inherited = Task { Local.number }
          let numbers = await (detached.value, inherited.value)
          #expect(numbers == (0, 7))
        }
      }
    }
  }

  /// An actor that is older than each run.
  @globalActor private actor Elder { static let shared = Elder() }

  @Elder private final class Released {
    nonisolated init() {}
    isolated deinit {}
  }

  @Test("X4: an isolated deinit on an actor that is older than the run counts as foreign work")
  func olderActor() async {
    // Create the actor, so that it is older than the runs.
    await Task { @Elder in }.value
    let issues = await recordedIssues {
      await explore(seeds: 5, allowing: [.noChoice]) { _ = Released() }
    }
    #expect(issues.say("1 task ran outside the exploration"))
  }

  @Test(
    "X10: a condition that no run meets also fails exploreAll and exploreCancelling")
  func sometimesElsewhere() async {
    let issues = await recordedIssues {
      let count = await exploreAll {
        async let task: Void = Task.yield()
        sometimes("all of them", false)
        await task
      }
      #expect(count == nil)
      await exploreCancelling {
        await Task.yield()
        sometimes("cancelled or not", false)
        sometimes("cancelled", Task.isCancelled)
        sometimes("not cancelled", !Task.isCancelled)
      }
    }
    #expect(issues.say("exploreAll: no run met the condition: all of them"))
    #expect(issues.say("exploreCancelling: no run met the condition: cancelled or not"))
    #expect(issues.count == 2)
  }

  @Test("X5: with the .explored trait, the test function is the scenario", .explored(seeds: 50))
  func trait() async {
    let counter = Counter()
    let tasks = (0..<2).map { _ in Task { counter.increment() } }
    for task in tasks { _ = await task.value }
    #expect(counter.value == 2)
    #expect(Exploration.seed != nil)
  }
}

/// An explored suite whose only test has no choice.
///
/// The test warns, so it runs in a separate process.
@Suite(.enabled(if: TestProcess.isThis), .explored(seeds: 20)) struct ExploredSuiteVictim {
  @Test func hasNoChoice() { #expect(Exploration.seed != nil) }
}

#if os(Linux)
  @Suite struct ExploredSuiteTests {
    @Test("X4: in an explored suite, a test without a choice passes with a warning")
    func noChoice() throws {
      let session = try TestProcess().run("ExploredSuiteVictim")
      #expect(session.hasPassed)
      #expect(session.text.contains("Test hasNoChoice() recorded a warning"))
      #expect(session.text.contains("no run ever had a choice"))
    }
  }
#endif
