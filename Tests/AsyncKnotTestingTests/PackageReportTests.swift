import AsyncKnotTesting
import AsyncOptical
import TestSupport
import Testing

@Suite struct PackageReportTests {
  private actor Likes: Opticle {
    enum Request { case like, later }
    let knot = Knot(0)

    func dispatch(_ request: Request) async {
      let next = state + 1
      await commit(from: request) {
        await Task.yield()
        return next
      }
    }
    func mutate(_ state: inout Int, response: Int) { state = response }
    func recover(_ state: inout Int, request: Request, error: any Error) {}
    nonisolated func policy(for request: Request) -> DispatchPolicy {
      request == .like ? .concurrent : .debounced("later", for: .seconds(1))
    }
  }

  private static let lostLike: @Sendable () async throws -> Void = {
    let likes = Likes()
    likes.send(.like)
    likes.send(.like)
    await untilIdle()
    #expect(likes.state == 2)
  }

  // Debug builds on Linux only: a release build inlines more, and on other platforms the kit does not control the runtime.
  #if os(Linux) && DEBUG
    @Test("X6: a task of the package is named after the function it runs, or else after its actor")
    func packageTasks() async {
      let issues = await recordedIssues { await explore(seeds: 100, Self.lostLike) }
      #expect(issues.say("Likes.dispatch (1)", "task of Likes"))
      #expect(!issues.say("Spawn") && !issues.say("Mailbox") && !issues.say("Waiting"))
      let others = await recordedIssues {
        await explore(seeds: 1) {
          let (likes, bag) = (Likes(), TaskBag())
          likes.states.live(in: bag) { _ in }
          likes.send(.later)
          try await Task.sleep(for: .seconds(2))
          Issue.record("late")
        }
      }
      #expect(others.say("2 LiveLoop.deliver\n", "5 Alarms.startSleeping\n", "sleeps 1.0 s"))
    }
  #endif
}
