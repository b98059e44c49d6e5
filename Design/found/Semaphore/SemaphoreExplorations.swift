// Explorations of groue/Semaphore at commit 2543679. The package builds on Linux unchanged.

import ExploreTesting
import Semaphore
import Testing

@Suite struct SemaphoreExplorations {
  // Bug 1: a wait throws "if the task is canceled before a signal occurs". If the signal
  // comes first, the cancellation resumes the continuation of the wait a second time.
  @Test func cancellationAfterTheSignalLeavesTheWaitAlone() async {
    await explore(seeds: 10_000) {
      let semaphore = AsyncSemaphore(value: 0)
      let waiter = Task(name: "waiter") { try await semaphore.waitUnlessCancelled() }
      let signaller = Task(name: "signaller") {
        semaphore.signal()
        waiter.cancel()
      }
      _ = await waiter.result
      await signaller.value
    }
  }
}
