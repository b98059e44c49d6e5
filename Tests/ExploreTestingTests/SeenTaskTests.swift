import ExploreTesting
import TestSupport
import Testing

/// X1, X6: a report does not change the run that it shows.
@Suite struct SeenTaskTests {
  /// Ends a stream when this object is released.
  private final class Token: Sendable {
    private let stream: AsyncStream<Int>.Continuation

    init(_ stream: AsyncStream<Int>.Continuation) { self.stream = stream }
    deinit { stream.finish() }
  }
  private struct Ended: Error {}

  /// Waits until the result of an ended task is released, which happens when the task is freed.
  private static func waitForTheRelease() async {
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    Task { Token(continuation) }
    for await _ in stream {}
  }

  @Test(
    "X6: if a run waits for the release of a task's result, its report shows the shortest schedule")
  func explained() async throws {
    let found = try #require(
      await Exploration(seeds: 20, allowing: [.noChoice]).lanes {
        await Self.waitForTheRelease()
        throw Ended()
      })
    let lanes = try #require(found.lanes)
    #expect(lanes.contains("throws Ended()"))
  }

  @Test(
    "X6: watch(_:of:) does not keep its actor alive, and watch(_:_:) keeps its captures alive in each run"
  )
  func watched() async throws {
    let found = try #require(
      await Exploration(seeds: 20, allowing: [.noChoice]).lanes {
        weak var actor: Account?
        weak var captured: Account?
        do {
          let (one, other) = (Account(), Account())
          (actor, captured) = (one, other)
          watch("balance", of: one) { $0.balance }
          watch("other") { "\(type(of: other))" }
        }
        await Task.yield()
        if actor == nil, captured != nil { throw Ended() }
      })
    let lanes = try #require(found.lanes)
    #expect(lanes.contains("throws Ended()"))
  }

  @Test(
    "X2: with leavesNothing, ended tasks are still released, and only tasks that have not ended count"
  )
  func leavesNothing() async {
    let issues = await recordedIssues {
      await explore(seeds: 20, allowing: [.noChoice], leavesNothing: true) {
        await Self.waitForTheRelease()
      }
    }
    #expect(issues.isEmpty, "\(issues)")
    let left = await recordedIssues {
      await explore(seeds: 20, allowing: [.noChoice], leavesNothing: true) {
        await Self.waitForTheRelease()
        Task { try? await Task.sleep(for: .seconds(100_000)) }
      }
    }
    #expect(left.say("left 1 task behind"))
  }

  @Test("X6: a task that reuses the address of an earlier one has a lane of its own")
  func reused() async throws {
    let found = try #require(
      await Exploration(seeds: 1, allowing: [.noChoice]).lanes {
        for number in 0..<20 { await Task(name: "task \(number)") {}.value }
        throw Ended()
      })
    let lanes = try #require(found.lanes)
    for number in 0..<20 { #expect(lanes.contains("task \(number)")) }
  }
}
