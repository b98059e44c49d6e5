import AllocationHook
@testable import ExploreTesting
import Foundation

#if os(Linux)
  /// X20: the kit's code, which runs in the middle of jobs and uses locks, is never interrupted.
  @Suite struct ReentryTests {
    @Test(
      "X20: no job interrupts the kit's own code, even where that code releases a lock")
    func contendedLocks() throws {
      let session = try TestProcess().run("Contended")
      #expect(!session.hasPassed)
      // The kit finds the scenario's bug and reports it with its lanes, and the process does not crash.
      #expect(session.text.contains("explore: seed "), "\(session.text)")
      #expect(session.text.contains("Lost()"), "\(session.text)")
      #expect(session.text.contains("looks (1)"), "\(session.text)")
      #expect(!session.text.contains("took a different path"), "\(session.text)")
      #expect(!session.text.contains("ended the process by signal"), "\(session.text)")
    }
  }

  /// Makes every allocation on the threads of a run take and release a lock, including the kit's own allocations.
  private enum Allocations {
    nonisolated(unsafe) static let lock: UnsafeMutablePointer<pthread_mutex_t> = {
      let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
      pthread_mutex_init(lock, nil)
      return lock
    }()

    static func takeALock() {
      _ = lock
      onAllocation {
        pthread_mutex_lock(Allocations.lock)
        pthread_mutex_unlock(Allocations.lock)
      }
    }
  }

  @Suite(.enabled(if: TestProcess.isThis)) struct Contended {
    struct Lost: Error {}

    final class Stock: @unchecked Sendable {
      private let lock = NSLock()
      private var count = 0

      var seen: Int { lock.withLock { count } }
      func set(_ count: Int) { lock.withLock { self.count = count } }
      /// Holds its lock while it resumes a task.
      func tell(_ continuation: AsyncStream<Int>.Continuation) {
        lock.withLock { _ = continuation.yield(count) }
      }
    }

    @Test func isLost() async {
      var exploration = Exploration(seeds: 20)
      exploration.interrupts = true
      Allocations.takeALock()
      // Each of these runs is recorded, as for a report.
      let context = TestContext()
      for seed in 0..<100 as Range<UInt64> {
        let recorder = RunRecorder()
        var plan = RunPlan(seed: seed, Chooser(.mixed, seed: seed, interrupts: true))
        plan.recorder = recorder
        _ = await exploration.run(plan, in: context) { try? await Self.scenario() }
        #expect(recorder.run.lanes.count { $0.name == "looks" } == 3)
      }
      context.end()
      await explore(exploration) { try await Self.scenario() }
    }

    private static func scenario() async throws {
      let stock = Stock()
      watch("stock") { stock.seen }
      let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
      let reader = Task(name: "reader") { for await _ in stream {} }
      let tasks = (0..<3).map { _ in
        Task(name: "looks") {
          stock.tell(continuation)
          let seen = stock.seen
          stock.tell(continuation)
          stock.set(seen + 1)
        }
      }
      for task in tasks { await task.value }
      continuation.finish()
      await reader.value
      if stock.seen < 3 { throw Lost() }
    }
  }
#endif
