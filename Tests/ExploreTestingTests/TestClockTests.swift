@testable import ExploreTesting

@Suite struct TestClockTests {
  /// `withDeadline` of SE-0526 requires a clock with this identity.
  private func identity<C: Clock & Identifiable>(of clock: C) -> C.ID { clock.id }

  @Test("Each clock has its own identity")
  func identifiable() {
    let (first, second) = (TestClock(), TestClock())
    #expect(identity(of: first) == identity(of: first))
    #expect(identity(of: first) != identity(of: second))
  }

  @Test("Sleepers wake in the order of their deadlines, each at its own time")
  func deadlineOrder() async {
    let clock = TestClock()
    let log = Log<String>()
    await withDiscardingTaskGroup { group in
      for seconds in [3, 1, 2] {
        group.addTask {
          try? await clock.sleep(for: .seconds(seconds))
          log.append("\(seconds) at \(clock.now.offset)")
        }
      }
      await clock.sleepers(atLeast: 3)
      await clock.advance(by: .seconds(5))
    }
    #expect(log.all == ["1 at 1.0 seconds", "2 at 2.0 seconds", "3 at 3.0 seconds"])
    #expect(clock.now.offset == .seconds(5))
  }

  @Test("Under explore, advance(by:sleepers:) lets every task sleep again before the next tick")
  func countsUnderExplore() async {
    await explore(seeds: 200) {
      let (clock, log) = (TestClock(), Log<Int>())
      for id in 0..<2 {
        Task {
          while true {
            try await clock.sleep(for: .seconds(1))
            log.append(id)
          }
        }
      }
      await clock.advance(by: .seconds(3), sleepers: 1)
      try hold(log.all.count == 6, "ticks: \(log.all)")
    }
  }

  @Test("A cancelled sleeper throws immediately and is no longer counted")
  func cancellation() async {
    let clock = TestClock()
    let task = Task { try await clock.sleep(for: .seconds(1)) }
    await clock.sleepers(atLeast: 1)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(clock.sleeperCount == 0)
  }

  @Test(
    "X2, X7: a wait ends whether it is cancelled before or after it is registered with the clock")
  func cancelledAnywhere() async {
    await explore(seeds: 200) {
      let clock = TestClock()
      let watcher = Task { await clock.sleepers(atLeast: 2) }
      let sleeper = Task { try await clock.sleep(for: .seconds(1)) }
      let canceller = Task {
        watcher.cancel()
        sleeper.cancel()
      }
      await canceller.value
      await watcher.value
      let result = await sleeper.result
      try hold((try? result.get()) == nil, "it slept although it was cancelled")
    }
  }

  @Test("A task cancelled before it sleeps does not sleep")
  func cancelledBefore() async {
    let clock = TestClock()
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await clock.sleep(for: .seconds(1))
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(clock.sleeperCount == 0)
  }

  @Test("The sleep of a cancelled task throws, even if the sleep's deadline has passed")
  func pastDeadlineOfACancelledTask() async {
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await TestClock(now: .init(offset: .seconds(10))).sleep(until: .init())
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test("A cancelled task does not advance the clock")
  func advanceOfACancelledTask() async {
    let clock = TestClock()
    await Task {
      withUnsafeCurrentTask { $0?.cancel() }
      await clock.advance(by: .seconds(1))
    }.value
    #expect(clock.now.offset == .zero)
  }

  @Test("Time never moves backward")
  func monotonic() async {
    let clock = TestClock(now: .init(offset: .seconds(10)))
    await clock.advance(to: .init(offset: .seconds(5)))
    #expect(clock.now.offset == .seconds(10))
  }

  @Test("A sleep until a deadline that has passed does not suspend")
  func pastDeadline() async throws {
    let clock = TestClock(now: .init(offset: .seconds(10)))
    try await clock.sleep(until: .init(offset: .seconds(10)))
    #expect(clock.now.offset == .seconds(10))
  }

  @Test("A call of run() returns when no task is sleeping")
  func runToTheEnd() async {
    let clock = TestClock()
    let task = Task { for _ in 0..<5 { try await clock.sleep(for: .seconds(1)) } }
    await clock.sleepers(atLeast: 1)
    while clock.now.offset < .seconds(5) { await clock.run() }
    await #expect(throws: Never.self) { try await task.value }
    #expect(clock.now.offset == .seconds(5))
  }

  @Test("Under explore, time moves to the next deadline when no task is ready")
  func virtualTime() async {
    await explore(seeds: 500) {
      let clock = TestClock()
      let other = TestClock()
      let log = Log<String>()
      await withDiscardingTaskGroup { group in
        group.addTask {
          try? await clock.sleep(for: .seconds(2))
          log.append("2")
        }
        group.addTask {
          for step in 0..<3 {
            try? await other.sleep(for: .milliseconds(900))
            log.append("0.9 × \(step + 1)")
          }
        }
      }
      #expect(log.all == ["0.9 × 1", "0.9 × 2", "2", "0.9 × 3"])
      #expect(clock.now == other.now)
      #expect(clock.now.offset == .milliseconds(2700))
    }
  }

  @Test("Under explore, advance stops at each deadline until the tasks that it woke have run")
  func advanceUnderExplore() async {
    await explore(seeds: 500, allowing: [.noChoice]) {
      let clock = TestClock()
      let log = Log<String>()
      let ticks = Recorder(
        AsyncStream<Int>(unfolding: {
          try? await clock.sleep(for: .seconds(1))
          log.append("\(clock.now.offset)")
          return 0
        }))
      await clock.advance(by: .seconds(3))
      #expect(ticks.elements.count == 3)
      #expect(log.all == ["1.0 seconds", "2.0 seconds", "3.0 seconds"])
      ticks.cancel()
    }
  }
}

/// How waits for a clock end.
@Suite(.timeLimit(.minutes(30))) struct WaitingTests {
  @Test("X7: outside an exploration, untilIdle() reports that it works only in an exploration")
  func idleOutside() async {
    let issues = await recordedIssues { await untilIdle() }
    #expect(issues.say("untilIdle: works only in an exploration"))
    #expect(issues.first?.sourceLocation?.fileName == "TestClockTests.swift")
  }

  @Test("No tick is lost by advance(by:sleepers:), even if a sleeper goes back to sleep late")
  func noLostTick() async {
    for _ in 0..<20 {
      let clock = TestClock()
      let ticks = Recorder(
        AsyncStream<Duration>(unfolding: {
          // The yields delay the sleep: a clock that waits for sleepers with only a few yields would advance past it.
          for _ in 0..<100 { await Task.yield() }
          try? await clock.sleep(for: .seconds(1))
          return clock.now.offset
        }))
      await clock.advance(by: .seconds(3), sleepers: 1)
      await waitWhile(ticks.elements.count < 3)
      let seen = ticks.elements
      #expect(seen == [.seconds(1), .seconds(2), .seconds(3)])
      ticks.cancel()
    }
  }

  @Test("X7: sleepers(atLeast:) ends when its task is cancelled")
  func cancelledWatcher() async {
    let clock = TestClock()
    let task = Task { await clock.sleepers(atLeast: 1) }
    task.cancel()
    await task.value
    #expect(clock.sleeperCount == 0)
  }

  @Test("X7: a stall at a clock reports how many sleepers are awaited")
  func stalledClock() async {
    let failure = await Exploration(seeds: 1, patience: .zero, allowing: [.noChoice]).firstFailure {
      await TestClock().sleepers(atLeast: 2)
    }
    #expect("\(String(describing: failure))".contains("waits for 2 sleepers; the clock has 0"))
  }

  @Test("X7: a stall does not mention a wait that has ended")
  func endedWait() async {
    let failure = await Exploration(seeds: 1, patience: .zero, allowing: [.noChoice]).firstFailure {
      await TestClock().sleepers(atLeast: 0)
      await TestClock().sleepers(atLeast: 2)
    }
    let text = String(describing: failure)
    #expect(text.contains("for 2 sleepers") && !text.contains("for 0 sleepers"), "\(text)")
  }

  @Test("X2: a scenario may sleep a thousand times, and its report has one lane")
  func manySleeps() async {
    let issues = await recordedIssues {
      await explore(seeds: 1, allowing: [.noChoice]) {
        for _ in 0..<1_000 { try await Task.sleep(for: .seconds(1)) }
        Issue.record("at the end")
      }
    }
    #expect(issues.say("1 scenario", "earlier steps", "sleeps"))
    #expect(!issues.say("    2 "))
  }

  @Test("X2: a report says that a task sleeps on a test clock, not that it waits")
  func sleepIsNamed() async {
    let issues = await recordedIssues {
      await explore(seeds: 1, allowing: [.noChoice]) {
        try await TestClock().sleep(for: .seconds(1))
        Issue.record("at the end")
      }
    }
    #expect(issues.say("sleeps") && !issues.say("awaits a continuation"))
  }

  @Test("X2: Task.sleep and the clocks of the standard library use the run's own time")
  func standardClocks() async {
    // Use PCT, because the mixed strategy may advance the time to the deadline of `short` before `long` starts.
    await explore(seeds: 50, strategy: .pct) {
      let start = (ContinuousClock.now, SuspendingClock.now)
      async let long: Void = Task.sleep(for: .seconds(3_600))
      async let short: Void = Task.sleep(nanoseconds: 5)
      try await short
      try await long
      #expect(start.0.duration(to: .now) == .seconds(3_600))
      #expect(start.1.duration(to: .now) == .seconds(3_600))
    }
  }
}
