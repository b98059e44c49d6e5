@testable import ExploreTesting
import Testing

@Suite struct ExplorationOptionTests {
  private struct Second: Error {}

  /// A scenario that creates and awaits tasks.
  @Sendable private static func tasks() async {
    let tasks = (0..<8).map { number in Task { number } }
    for task in tasks { _ = await task.value }
  }

  private static func exploration(interrupts: Bool) -> Exploration {
    var exploration = Exploration(strategy: .uniform)
    exploration.interrupts = interrupts
    return exploration
  }

  @Test("X2, X4: in a single run of a seed, jobs interrupt each other if interrupts is true")
  func interruptsOneRun() async {
    var differing = 0
    for seed in 0..<20 as Range<UInt64> {
      let plain = await Self.exploration(interrupts: false).run(seed: seed, Self.tasks)
      let interrupted = await Self.exploration(interrupts: true).run(seed: seed, Self.tasks)
      if plain.trace != interrupted.trace { differing += 1 }
    }
    #expect(differing > 0)
  }

  @Test("X2, X6: the page of a seed shows its interruptions if the exploration interrupts code")
  func interruptsThePage() async {
    for interrupts in [false, true] {
      var isInterrupted = false
      for seed in 0..<20 as Range<UInt64> where !isInterrupted {
        isInterrupted = await Self.exploration(interrupts: interrupts).page(seed: seed, Self.tasks)
          .contains("in the middle of")
      }
      #expect(isInterrupted == interrupts)
    }
  }

  @Test("X4: a warning that a run records does not fail the exploration")
  func warning() async {
    let issues = await recordedIssues {
      await explore(seeds: 3, allowing: [.noChoice]) {
        Issue.record("only a warning", severity: .warning)
      }
    }
    #expect(issues.count == 3)
    #expect(issues.allSatisfy { $0.severity == .warning })
  }

  @Test("X19: a failure that only the second run of a seed has is reported")
  func secondRun() async {
    let runs = Counter()
    var exploration = Exploration(seeds: 1, allowing: [.noChoice])
    exploration.runsTwice = true
    let failure = await exploration.firstFailure {
      runs.increment()
      if runs.value == 2 { throw Second() }
    }
    guard case .threw(is Second)? = failure?.reason else {
      Issue.record("\(failure?.what ?? "no failure")")
      return
    }
  }

  @Test(
    "X3: a task that sleeps on a test clock when its run ends is cancelled",
    .timeLimit(.minutes(30))
  )
  func clockAtTheEnd() async throws {
    let task = Shared<Task<Void, any Error>?>(nil)
    await explore(seeds: 1, allowing: [.noChoice]) {
      let clock = TestClock()
      task.value = Task { try await clock.sleep(for: .seconds(1)) }
      await untilIdle()
    }
    let sleeper = try #require(task.value)
    await #expect(throws: CancellationError.self) { try await sleeper.value }
  }

  @Test("X17: the headline of a report counts equal faults together, and counts the other choices")
  func headline() {
    var run = RecordedRun()
    run.lanes = [RecordedRun.Lane(name: "a")]
    run.steps = [RecordedRun.Step(lane: 0, executor: nil, isForced: false)]
    run.steps[0].effects = [
      .happens("lost response", isFault: true), .happens("lost response", isFault: true),
      .happens("delay: 1", isFault: false), .happens("delay: 2", isFault: false),
    ]
    let switches = (1...4).map { number in
      ForcedSwitch(
        after: .init(task: 1, step: 1, point: ForcedSwitch.Moment.chance | number), run: 1)
    }
    let headline = Explanation(switches: switches, report: LaneReport(run: run)).headline
    #expect(headline.contains("2 x lost response, 2 other choices and no forced switch"))
  }

  @Test("X6: the lane of a task that still waits at the end is drawn up to the last step")
  func waitingLane() {
    var run = RecordedRun()
    run.lanes = [
      RecordedRun.Lane(name: "a", state: .ended),
      RecordedRun.Lane(name: "b", state: .awaitsContinuation),
    ]
    run.steps = [1, 0].map { RecordedRun.Step(lane: $0, executor: nil, isForced: false) }
    run.steps[0].state = .awaitsContinuation
    run.steps[1].state = .ended
    #expect(LaneReport(run: run).rows.map(\.text).last?.contains("* |") == true)
  }
}
