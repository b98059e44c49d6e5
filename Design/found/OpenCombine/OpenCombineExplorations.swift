// Explorations of OpenCombine/OpenCombine at commit 1c6f02c, library OpenCombine. The package builds on Linux unchanged.

import ExploreTesting
import OpenCombine
import Synchronization
import Testing

@Suite struct OpenCombineExplorations {
  // Bug 45: "Republishes elements sent by the most recently received publisher".
  @Test func switchToLatestForgetsTheEarlierPublisher() async {
    await explore(seeds: 10_000) {
      nonisolated(unsafe) let outer = PassthroughSubject<AnyPublisher<Int, Never>, Never>()
      nonisolated(unsafe) let earlier = PassthroughSubject<Int, Never>()
      let log = Mutex<[Int]>([])
      let subscription = outer.switchToLatest().sink { value in log.withLock { $0.append(value) } }
      outer.send(earlier.eraseToAnyPublisher())
      await withDiscardingTaskGroup { group in
        group.addTask(name: "earlier") { earlier.send(1) }
        group.addTask(name: "later") { outer.send(Just(2).eraseToAnyPublisher()) }
      }
      subscription.cancel()
      let values = log.withLock { $0 }
      #expect(values == [2] || values == [1, 2])
    }
  }
}
