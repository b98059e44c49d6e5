// Explorations of VergeGroup/swift-concurrency-task-manager at commit 87605b6. The package was built without its SwiftUI
// file and its logs, and with an `NSLock` instead of `OSAllocatedUnfairLock`.

import ConcurrencyTaskManager
import ExploreTesting

@Suite struct TaskManagerExplorations {
  // Bug 29: the task's value is the operation's value. If the operation ends before the task has stored its continuation,
  // the value never arrives.
  @Test func theValueArrives() async {
    await explore(seeds: 10_000) {
      let manager = TaskManager()
      let first = manager.task(key: "key", mode: .waitInCurrent) { 1 }
      let second = manager.task(key: "key", mode: .waitInCurrent) { 2 }
      let values = try await (first.value, second.value)
      #expect(values == (1, 2))
    }
  }
}
