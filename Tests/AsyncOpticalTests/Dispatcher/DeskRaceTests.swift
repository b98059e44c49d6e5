@testable import AsyncOptical
import AsyncKnotTesting
import Synchronization
import TestSupport
import Testing

/// The desk is made by whoever needs it first; several may need it at once.
@Suite struct DeskRaceTests {
  @Test("M1: all who use a holder for the first time, at once, get one desk")
  func first() async {
    for _ in 0..<3_000 {
      let (worker, arrived) = (Worker(), Count())
      let desk = { @Sendable () async -> Desk<Worker> in
        arrived.number.add(1, ordering: .acquiringAndReleasing)
        // Both are on a thread of their own when they go on, wherever there are two.
        while arrived.number.load(ordering: .acquiring) < 2 { await Task.yield() }
        return worker.desk
      }
      async let first = Task.detached { await desk() }.value
      async let second = Task.detached { await desk() }.value
      let isOne = await first === second
      #expect(isOne)
    }
  }

  private final class Count: Sendable { let number = Atomic(0) }

  @Test("O3: of two that are sent at once as the first, an exclusive id drops one")
  func exclusive() async {
    await exploreContract(seeds: 2_000) {
      let (worker, gate) = (Worker(), Gate())
      await withDiscardingTaskGroup { group in
        for id in 0..<2 {
          group.addTask { worker.send(id, .exclusive(0)) { await gate.wait() } }
        }
      }
      await untilIdle()
      gate.open()
      await untilIdle()
      try hold(worker.state.done.count == 1, "done \(worker.state.done)")
    }
  }
}
