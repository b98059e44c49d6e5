import Dispatch

/// Runs that never end are reported, and none of their tasks continues later.
@Suite struct StallTests {
  private actor Gate {
    private var waiter: CheckedContinuation<Void, Never>?
    func wait() async { await withCheckedContinuation { waiter = $0 } }
    func open() {
      waiter?.resume()
      waiter = nil
    }
  }

  @Test("X7: a test function that stalls is reported, and then its process ends")
  func explored() throws {
    let text = try TestProcess().run("StalledFunction").text
    #expect(text.contains("explore: seed 0 stalled"))
    #expect(text.contains("scenario awaits a continuation"))
    #expect(text.contains("the test function never returned"))
  }

  @Test(
    "X7: after many steps, the report of a stall still says what each task waits for")
  func afterManySteps() async {
    let issues = await recordedIssues {
      await explore(seeds: 1) {
        let (early, late) = (Gate(), Gate())
        async let first: Void = early.wait()
        async let second: Void = late.wait()
        let third = Task(name: "third") { for _ in 0..<2_000 { await Task.yield() } }
        for _ in 0..<2_000 { await Task.yield() }
        await third.value
        await late.open()
        await second
        await first
      }
    }
    #expect(issues.say("stalled", "earlier steps", "scenario awaits"), "\(issues)")
    #expect(issues.say("awaits a continuation in withCheckedContinuation, in StallTests.Gate.wait"))
    #expect(!issues.say("  third awaits") && !issues.say("  third suspends"))
  }

  @Test("X7: the report of a stall mentions `patience` only if foreign work is allowed")
  func impatient() async {
    let wait: @Sendable () async -> Void = {
      await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
    }
    for allowing in [[], .foreignWork] as [ExplorationAllowances] {
      let patience = Duration.milliseconds(2)
      let issues = await recordedIssues {
        await explore(seeds: 1, patience: patience, allowing: allowing, wait)
      }
      let names = issues.say("stalled", "a Dispatch timer", "within the patience of \(patience)")
      #expect(names == (allowing == .foreignWork))
    }
  }

  @Test("X5, X8: after a failure, the other runs and the repetitions also wait for foreign work")
  func patienceAfterAFailure() async {
    struct Wrong: Error {}
    let issues = await recordedIssues {
      await explore(seeds: 3, patience: .seconds(600), allowing: [.foreignWork, .noChoice]) {
        await withCheckedContinuation { continuation in
          DispatchQueue.global().asyncAfter(deadline: .now() + 0.1) { continuation.resume() }
        }
        if Exploration.seed == 0 { throw Wrong() }
      }
    }
    #expect(issues.say("threw Wrong") && !issues.say("stalled") && !issues.say("different path"))
  }

  @Test("X3: a stalled run never continues, even if foreign code resumes it later")
  func abandoned() async {
    let gate = Gate()
    let runs = Counter()
    let failure = await Exploration(seeds: 1, patience: .zero, allowing: [.noChoice, .foreignWork])
      .firstFailure {
        await gate.wait()
        runs.increment()
      }
    guard case .stalled? = failure?.reason else {
      Issue.record("\(String(describing: failure))")
      return
    }
    await gate.open()
    await yieldToOthers()
    #expect(runs.value == 0)
  }

  @Test("X3: a task that outlives its run sleeps in real time")
  func outlives() async {
    let gate = Gate()
    let slept = Log<Duration>()
    await explore(seeds: 1, allowing: [.noChoice, .foreignWork]) {
      Task {
        await gate.wait()
        let start = ContinuousClock.now
        try? await Task.sleep(for: .milliseconds(50))
        slept.append(start.duration(to: .now))
      }
      await untilIdle()
    }
    await gate.open()
    while slept.all.isEmpty, !Task.isCancelled { await Task.yield() }
    #expect(slept.all.allSatisfy { $0 >= .milliseconds(50) })
  }
}

/// A test function that fails; ``StallTests`` runs it in a separate process.
@Suite(.enabled(if: TestProcess.isThis)) struct StalledFunction {
  @Test(.explored(seeds: 2)) func a() async {
    let task = Task { await Task.yield() }
    await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
    await task.value
  }
}
