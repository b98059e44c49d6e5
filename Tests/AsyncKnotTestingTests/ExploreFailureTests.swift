import AsyncKnotTesting
import TestSupport
import Testing

/// What `explore` records, and what it reports when a run goes wrong.
@Suite struct ExploreFailureTests {
  @Test("X7: a stall is reported with what the probes wait for")
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
        "seed 0 stalled", "Recorder(ExploreFailureTests.swift:", "has 1: [7], awaited: 2 elements"))
  }

  @Test("A task that never ends is stopped by the job limit")
  func jobLimit() async {
    let issues = await recordedIssues {
      await explore(seeds: 10, jobLimit: 50) { while true { await Task.yield() } }
    }
    #expect(issues.say("did not end within its limit of 50 jobs"))
  }

  @Test("After a failure the scenario is cancelled, and its tasks end")
  func teardown() async {
    let ended = Counter()
    let failure = await Exploration(seeds: 1, patience: .zero).firstFailure {
      await withDiscardingTaskGroup { group in
        for _ in 0..<3 {
          group.addTask {
            for await _ in AsyncStream<Void>(unfolding: { await untilCancelled() }) {}
            ended.increment()
          }
        }
      }
    }
    guard case .stalled? = failure?.reason else {
      Issue.record("\(String(describing: failure))")
      return
    }
    #expect(ended.value == 3)
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
}

/// Suspends until the task is cancelled.
private func untilCancelled() async -> Void? {
  let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
  defer { continuation.finish() }
  for await _ in stream { return () }
  return nil
}
