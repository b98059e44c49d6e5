// Explorations of VergeGroup/swift-concurrency-task-manager at commit 87605b6. It was built without its file for SwiftUI and its
// logs, and with a lock of `NSLock` in the place of `OSAllocatedUnfairLock`.

import ConcurrencyTaskManager
import ExploreTesting

@Suite struct TaskManagerExplorations {
  // Row 29: the task's value is that of the operation; where that ends before the continuation of the task is kept, the value
  // never comes.
  @Test func theValueComes() async {
    await explore(seeds: 10_000) {
      let manager = TaskManager()
      let first = manager.task(key: "key", mode: .waitInCurrent) { 1 }
      let second = manager.task(key: "key", mode: .waitInCurrent) { 2 }
      let values = try await (first.value, second.value)
      #expect(values == (1, 2))
    }
  }
}
