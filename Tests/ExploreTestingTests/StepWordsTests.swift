@testable import ExploreTesting
import Dispatch
import Foundation
import TestSupport
import Testing

/// X6: what a report and its page show about a step.
@Suite struct StepWordsTests {
  /// The report of an exploration with one run, which fails at its end.
  private func report(_ scenario: @escaping @Sendable () async throws -> Void) async -> String {
    let issues = await recordedIssues {
      await explore(seeds: 1, allowing: [.noChoice]) {
        try await scenario()
        Issue.record("at the end")
      }
    }
    return issues.flatMap(\.comments).map(\.rawValue).first { $0.contains("1 scenario") } ?? ""
  }

  private func step(
    _ lane: Int, on executor: String?, _ state: RecordedRun.TaskState, isForced: Bool = false
  ) -> RecordedRun.Step {
    var step = RecordedRun.Step(lane: lane, executor: executor, isForced: isForced)
    step.state = state
    return step
  }

  @Test("X6: consecutive hops of a task share a line, unless another task runs between them")
  func hops() {
    var run = RecordedRun()
    run.lanes = [RecordedRun.Lane(name: "a"), RecordedRun.Lane(name: "b")]
    run.steps = [
      step(0, on: nil, .hops(to: "Bank")), step(0, on: "Bank", .hops(to: "Shop")),
      step(0, on: "Shop", .ready), step(1, on: nil, .hops(to: "Bank")), step(0, on: nil, .ended),
      step(1, on: "Bank", .ended),
    ]
    let report = LaneReport(run: run)
    #expect(report.foldedSteps == [[0, 1, 2], [3], [4], [5]])
    #expect(report.description.contains("   3   *    a  on Bank -> Shop  continues\n"))
    #expect(report.description.contains("   4   | *  b  hops to Bank\n"))
  }

  @Test(
    "X6: a step that changes a value, cancels a task, is forced or happens at a later time has its own line"
  )
  func notFolded() {
    var run = RecordedRun()
    run.lanes = [RecordedRun.Lane(name: "a")]
    run.steps = (0..<7).map {
      step(0, on: "Bank", .hops(to: "Bank"), isForced: [4, 6].contains($0))
    }
    run.steps[0].changes = ["x: 1 -> 2"]
    run.steps[1].effects = [.cancels(0)]
    for index in 5...6 { run.steps[index].time = .seconds(1) }
    let report = LaneReport(run: run)
    #expect(report.foldedSteps == [[0], [1], [2, 3], [4], [5], [6]])
    #expect(report.description.ranges(of: "it is ").count == 1)
  }

  #if os(Linux)
    @Test("X6: a report says how long a task sleeps, and what time it is after the sleep")
    func sleeps() async {
      let text = await report { try await Task.sleep(for: .milliseconds(300)) }
      #expect(text.contains("sleeps 0.3 s"))
      #expect(text.contains("        it is 0.3 s\n"))
    }

    @Test("X6: a report names the task that resumes or cancels another one")
    func effects() async {
      let text = await report {
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
        let reader = Task(name: "reader") { for await _ in stream {} }
        let sleeper = Task(name: "sleeper") { _ = try? await Task.sleep(for: .seconds(9)) }
        let killer = Task(name: "killer") {
          await Task.yield()
          sleeper.cancel()
          continuation.finish()
        }
        for task in [killer, reader, sleeper] { await task.value }
      }
      let line = text.split(separator: "\n").first { $0.contains("cancels sleeper") } ?? ""
      #expect(line.contains("killer    ends") && line.contains("resumes reader"), "\(text)")
    }

    private static func made<Value: Sendable>(_ value: Value) -> Task<Value, Never> {
      Task {
        await Task.yield()
        return value
      }
    }

    @Test("X6: a task of a generic function is named after the function")
    func genericTasks() async {
      let text = await report { _ = await Self.made(1).value }
      // A build without debug information has no line numbers.
      let name = /closure (at StepWordsTests\.swift:\d+|#1 in StepWordsTests\.made)/
      #expect(text.contains(name), "\(text)")
    }

    @Test(
      "X6, X18: a report names a read of a clock that the seed does not control, but not a read of a date"
    )
    func foreignClock() async {
      let reads = await report { _ = DispatchTime.now() }
      #expect(reads.contains("reads a clock or random numbers that the seed does not control"))
      let asks = await report { _ = (ContinuousClock.now, Date()) }
      #expect(!asks.isEmpty && !asks.contains("reads a clock"))
    }
  #endif

  @Test("X6: only the first issue of a run is shown before the report")
  func oneIssue() async {
    let issues = await recordedIssues {
      await explore(seeds: 3, allowing: [.noChoice]) {
        for number in 0..<100 { Issue.record("number \(number)") }
      }
    }
    #expect(issues.count == 2)
    #expect(issues.say("number 0") && issues.say("EXPLORE_SEED=0 replays it"))
  }

  @Test("X6: a later issue of a run is not shown before the report, even if it is on another line")
  func oneIssueOfTwoLines() async {
    let issues = await recordedIssues {
      await explore(seeds: 3, allowing: [.noChoice]) {
        Issue.record("the first")
        Issue.record("the second")
      }
    }
    #expect(issues.count == 2)
    #expect(issues.say("the first") && !issues.say("the second"))
  }

  @Test("X6: the page of a schedule has its lanes, steps, times and values, and needs no network")
  func page() {
    var run = RecordedRun()
    run.lanes = [RecordedRun.Lane(name: "a <b>"), RecordedRun.Lane(name: "c")]
    run.steps = [step(0, on: nil, .ready), step(1, on: "Bank", .ended)]
    run.steps[0].changes = ["x: 1 -> 2"]
    run.steps[1].time = .milliseconds(5)
    let page = SchedulePage(title: "a & b", report: LaneReport(run: run)).text
    #expect(page.contains("<title>a &amp; b</title>") && page.contains("a &lt;b>"))
    #expect(page.contains("data-values=\"x = 2\"") && page.contains("it is 0.005 s\n"))
    #expect(page.components(separatedBy: "<li ").count == 3)
    #expect(!page.contains("http") && !page.contains("src="))
  }

  // A release build inlines different functions.
  #if os(Linux) && DEBUG
    private func waitSomewhereElse(_ gate: AsyncStream<Void>) async { for await _ in gate {} }

    @Test(
      "X6: a location in the test is named by its closure and line, and lines are short")
    func nestedClosuresOfATestWhoseNameIsRatherLong() async {
      let issues = await recordedIssues {
        await explore(seeds: 1) {
          let (gate, _) = AsyncStream.makeStream(of: Void.self)
          await withDiscardingTaskGroup { group in
            for _ in 0..<2 {
              group.addTask {
                await Task {
                  async let inner: Void = { await self.waitSomewhereElse(gate) }()
                  await inner
                }.value
              }
            }
          }
        }
      }
      let texts = issues.flatMap(\.comments).map(\.rawValue)
      let text = texts.first { $0.contains("1 scenario") } ?? ""
      let lines = text.prefix { $0 != "W" }.split(separator: "\n").dropFirst()
      let line =
        /closure \S+ \S+ \(1\) +awaits closure \S+ \S+ \(1\) \(StepWordsTests.swift:\d+\)/
      #expect(text.contains(line))
      #expect(text.contains(" in StepWordsTests.waitSomewhereElse (StepWordsTests.swift:"))
      #expect(
        !text.contains("nestedClosures in") && lines.allSatisfy { $0.count <= 140 }, "\(text)")
    }
  #endif
}
