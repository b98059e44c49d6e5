// Explorations of ReactiveCocoa/ReactiveSwift at commit a44317c. The package builds on Linux unchanged.

import ExploreTesting
import ReactiveSwift
import Synchronization
import Testing

@Suite struct ReactiveSwiftExplorations {
  // Bug 46: `.latest` forwards "only values from the latest inner stream".
  @Test func flattenLatestForgetsTheEarlierSignal() async {
    await explore(seeds: 10_000) {
      nonisolated(unsafe) let (outer, outerInput) = Signal<SignalProducer<Int, Never>, Never>.pipe()
      nonisolated(unsafe) let (earlier, earlierInput) = Signal<Int, Never>.pipe()
      let log = Mutex<[Int]>([])
      outer.flatten(.latest).observeValues { value in log.withLock { $0.append(value) } }
      outerInput.send(value: earlier.producer)
      await withDiscardingTaskGroup { group in
        group.addTask(name: "earlier") { earlierInput.send(value: 1) }
        group.addTask(name: "later") { outerInput.send(value: SignalProducer(value: 2)) }
      }
      let values = log.withLock { $0 }
      #expect(values == [2] || values == [1, 2])
    }
  }
}
