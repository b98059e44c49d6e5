/// The issues and the reports of `explore` when a run goes wrong.
@Suite struct ExploreFailureTests {
  @Test("X7: the report of a stall names what the probes wait for")
  func stall() async {
    let issues = await recordedIssues {
      await explore(seeds: 10, patience: .zero) {
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
        continuation.yield(7)
        await Recorder(stream).wait(for: 2)
        continuation.finish()
      }
    }
    #expect(
      issues.say(
        "seed 0 stalled", "Recorder(ExploreFailureTests.swift:",
        "has 1 element: [7]; a task waits for 2 elements"))
  }

  @Test("X5: if the test is cancelled while its failure is shortened, the scenario is not blamed")
  func cancelledWhileShortening() async {
    let (calling, runs) = (Shared<Task<Void, Never>?>(nil), Counter())
    let issues = await recordedIssues {
      let task = Task {
        // The task can be cancelled only after it has been stored.
        while calling.value == nil { await Task.yield() }
        await explore(seeds: 50) {
          async let first: () = Task.yield()
          async let second: () = Task.yield()
          _ = await (first, second)
          runs.increment()
          if runs.value > 1 { calling.value?.cancel() }
          throw Wrong.early
        }
      }
      calling.value = task
      await task.value
    }
    #expect(issues.say("threw early", "cancelled before the shortest schedule was found"))
    #expect(!issues.say("different path"))
  }

  @Test("X8: a run records only its first issue, and repeated runs for a report record none")
  func recordedOnce() async {
    let runs = Counter()
    let issues = await recordedIssues {
      await explore(seeds: 100) {
        runs.increment()
        let isSet = Shared(false)
        let other = Task { isSet.value = true }
        await Task.yield()
        if isSet.value { for number in 1...2 { Issue.record("too early \(number)") } }
        await other.value
      }
    }
    let first = issues.count { "\($0.comments)".contains("too early 1") }
    let second = issues.count { "\($0.comments)".contains("too early 2") }
    #expect(runs.value > 3 && first == 1 && second == 0, "\(issues)")
    #expect(issues.say("It fails with") || issues.say("The shortest schedule"))
  }

  /// A scenario with a choice, which also calls `body` in the run of one seed.
  private static func withChoice(_ seed: UInt64, _ body: () throws -> Void) async throws {
    async let first: () = Task.yield()
    async let second: () = Task.yield()
    _ = await (first, second)
    if Exploration.seed == seed { try body() }
  }

  @Test(
    "X4, X5: a run that records an issue and throws counts as one failure, and not as a failure of the next seed"
  )
  func issueAndError() async {
    let issues = await recordedIssues {
      await explore(seeds: 40) {
        try await Self.withChoice(3) { _ = try #require(nil as Int?) }
      }
    }
    #expect(issues.say("seed 3 recorded an issue", "It fails"), "\(issues)")
    #expect(!issues.say("another failure") && !issues.say("different path"), "\(issues)")
  }

  @Test("X11: a cancelled run that records an issue and rethrows the cancellation fails")
  func issueAndCancellation() async {
    let issues = await recordedIssues {
      await exploreCancelling(seeds: 1) {
        do {
          try await Task.sleep(for: .seconds(1))
        } catch {
          Issue.record("the clean-up failed")
          throw error
        }
      }
    }
    #expect(issues.say("cancelled before it began", "recorded an issue"), "\(issues)")
    #expect(!issues.say("different path"), "\(issues)")
  }

  @Test("X10: a search that ends at its limit names the conditions that no run has met")
  func unmetAtTheLimit() async {
    let issues = await recordedIssues {
      await exploreAll(limit: 100) {
        try await Self.withChoice(.max) {}
        sometimes("never", false)
        sometimes("always", true)
      }
    }
    #expect(
      issues.say("no run met the condition: never, and the search was not completed"), "\(issues)")
  }

  @Test("X5: a scenario that throws a CancellationError of its own fails")
  func ownCancellationError() async {
    let failure = await Exploration(seeds: 1, allowing: [.noChoice]).firstFailure {
      throw CancellationError()
    }
    guard case .threw(let error)? = failure?.reason, error is CancellationError else {
      Issue.record("\(String(describing: failure))")
      return
    }
  }

  private enum Wrong: Error { case early, late, never }

  @Test(
    "X5: a test that fails in several ways gets one report for each way, up to three reports"
  )
  func several() async {
    // Each of the four lines fails in some schedule.
    let issues = await recordedIssues {
      await explore(seeds: 1_000) {
        let log = Log<Int>()
        await withTaskGroup(of: Void.self) { group in
          for task in 0..<3 { group.addTask { log.append(task) } }
        }
        switch log.all {
        case [0, 1, 2]: throw Wrong.early
        case [2, 1, 0]: throw Wrong.late
        case [1, 0, 2]: Issue.record("one first")
        case [1, 2, 0]: Issue.record("one first, and zero last")
        default: break
        }
      }
    }
    let reports = issues.flatMap(\.comments).map(\.rawValue).filter { $0.contains("1 scenario") }
    #expect(reports.count == 3)
    #expect(reports.count { $0.hasPrefix("explore: another failure: seed ") } == 2)
    #expect(reports.count { $0.contains("throws early") } <= 1)
    #expect(reports.count { $0.contains("throws late") } <= 1)
    // An expectation is reported once, although many runs fail at it.
    #expect(issues.count { "\($0.comments)".contains("one first\"") } <= 1)
  }

  /// Explores two tasks, passes the order in which they ran to `judge`, and returns the reports.
  private func reports(
    onTwoTasks judge: @escaping @Sendable (_ order: [Int]) throws -> Void
  ) async -> [String] {
    let issues = await recordedIssues {
      await explore(seeds: 1_000) {
        let log = Log<Int>()
        await withTaskGroup(of: Void.self) { group in
          for task in 0..<2 { group.addTask { log.append(task) } }
        }
        try judge(log.all)
      }
    }
    return issues.flatMap(\.comments).map(\.rawValue).filter { $0.contains("1 scenario") }
  }

  @Test("X5: two errors of one type get one report each if their descriptions differ")
  func twoErrors() async {
    let reports = await reports { throw $0 == [0, 1] ? Wrong.early : Wrong.late }
    #expect(reports.count == 2)
    #expect(reports.count { $0.contains("throws early") } == 1)
    #expect(reports.count { $0.contains("throws late") } == 1)
  }

  @Test("X5: issues on different lines get one report each")
  func twoLines() async {
    let reports = await reports { order in
      if order == [0, 1] {
        Issue.record("zero first")
      } else {
        Issue.record("one first")
      }
    }
    #expect(reports.count == 2)
  }

  // Release builds have no line numbers, and on other platforms the kit does not control the runtime.
  #if os(Linux) && DEBUG
    @Test("X6: a report shows the step and line of a thrown error, and names a closure by its line")
    func thrown() async {
      let issues = await recordedIssues {
        await explore(seeds: 1, allowing: [.noChoice]) {
          let task = Task {
            await Task.yield()
            if Exploration.seed == 0 { throw Wrong.never }
            await Task.yield()
          }
          try await task.value
        }
      }
      let report = issues.map { "\($0.comments)" }.joined()
      #expect(report.contains(/ends, throws never \(ExploreFailureTests\.swift:\d+\)/), "\(report)")
      #expect(report.contains(/2 closure at ExploreFailureTests\.swift:\d+/), "\(report)")
      #expect(!report.contains("closure #"))
    }
  #endif

  @Test("A task that never ends is stopped by the job limit")
  func jobLimit() async {
    let issues = await recordedIssues {
      await explore(seeds: 10, jobLimit: 50) { while true { await Task.yield() } }
    }
    #expect(issues.say("was stopped after its limit of 50 jobs; EXPLORE_SEED="))
  }

  @Test("X3: a stalled run does not continue, and reports nothing but the stall")
  func afterStall() async {
    let ended = Counter()
    let issues = await recordedIssues {
      await explore(seeds: 1, patience: .zero, allowing: [.noChoice]) {
        var elements = AsyncStream(unfolding: { await untilCancelled() }).makeAsyncIterator()
        #expect(await elements.next() != nil)
        ended.increment()
      }
    }
    #expect(issues.count == 1 && issues.say("seed 0 stalled"))
    #expect(ended.value == 0)
  }

  @Test("X7: the report of a run that records an issue and then stalls says who waits")
  func stallAfterIssue() async {
    let issues = await recordedIssues {
      await explore(seeds: 1, patience: .zero, allowing: [.noChoice]) {
        Issue.record("before the stall")
        await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
      }
    }
    #expect(issues.say("before the stall"))
    #expect(issues.say("seed 0 stalled", "Who waits for whom:"))
  }

  @Test("A cancelled exploration ends without a failure")
  func cancelled() async {
    let task = Task {
      await Exploration(seeds: .max).firstFailure { await Task.yield() }
    }
    task.cancel()
    let failure = await task.value
    #expect(failure == nil)
  }

  @Test("An exploration that is cancelled before its first run warns that nothing is checked")
  func cancelledBefore() async {
    let issues = await recordedIssues {
      await Task {
        unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
        await explore(seeds: 10) {}
      }.value
    }
    #expect(issues.map(\.isFailure) == [false])
    #expect(issues.say("explore: the calling task was cancelled before the first run"))
  }

  @Test("Cancelling an exploration cancels the scenario that is running")
  func cancelledInARun() async {
    let (exploration, start) = (Shared<Task<Void, Never>?>(nil), Gate())
    let wasCancelled = Log<Bool>()
    exploration.value = Task {
      await start.wait()
      await explore(seeds: 1, allowing: [.noChoice]) {
        exploration.value?.cancel()
        wasCancelled.append(Task.isCancelled)
      }
    }
    start.open()
    await exploration.value?.value
    #expect(wasCancelled.all == [true])
  }
}

/// Suspends until the task is cancelled.
private func untilCancelled() async -> Void? {
  let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
  defer { continuation.finish() }
  for await _ in stream { return () }
  return nil
}
