import AsyncKnotTesting
import AsyncOptical
import TestSupport
import Testing

/// The desk is made by whoever needs it first; several may need it at once.
@Suite struct DeskRaceTests {
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
