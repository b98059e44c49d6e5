// Explorations of SwiftyLab/AsyncObjects at commit 8fa6219. With Swift 6.3 the package builds once the two
// task initializers in TaskOperation.swift are called with their labels; nothing else was changed.

import AsyncObjects
import ExploreTesting
import Synchronization

@Suite struct AsyncObjectsExplorations {
  // Bug 22: if a signalled waiter is cancelled before it continues, it keeps the permit, but `count` is raised a second
  // time. Two tasks then hold a semaphore of 1.
  @Test func aCancelledWaiterTakesNoPermitOfOthers() async {
    await explore(seeds: 10_000) {
      let semaphore = AsyncObjects.AsyncSemaphore(value: 1)
      let inside = Mutex(0)
      let most = Mutex(0)
      @Sendable func user(_ name: String) -> Task<Void, Never> {
        Task(name: name) {
          do { try await semaphore.wait() } catch { return }
          let count = inside.withLock { count in
            count += 1
            return count
          }
          most.withLock { $0 = max($0, count) }
          await Task.yield()
          await Task.yield()
          inside.withLock { $0 -= 1 }
          semaphore.signal()
        }
      }
      let users = [user("first"), user("second"), user("third")]
      let canceller = Task(name: "canceller") { users[1].cancel() }
      await canceller.value
      for user in users { await user.value }
      #expect(most.withLock { $0 } == 1)
    }
  }

  // Bug 23: a waiter that is cancelled before it is registered loses a permit, which nobody gives back. The next wait never
  // ends.
  @Test func aCancelledWaitKeepsThePermit() async {
    await explore(seeds: 10_000) {
      let semaphore = AsyncObjects.AsyncSemaphore(value: 1)
      try await semaphore.wait()
      let waiter = Task(name: "waiter") { () -> Bool in
        do {
          try await semaphore.wait()
          return true
        } catch {
          return false
        }
      }
      let signaller = Task(name: "signaller") { semaphore.signal() }
      let canceller = Task(name: "canceller") { waiter.cancel() }
      if await waiter.value { semaphore.signal() }
      await signaller.value
      await canceller.value
      try await semaphore.wait()
    }
  }

  // Bug 24: a wait that times out at the moment of the signal loses the permit.
  @Test func aWaitThatTimesOutKeepsThePermit() async {
    await explore(seeds: 10_000) {
      let semaphore = AsyncObjects.AsyncSemaphore(value: 1)
      try await semaphore.wait()
      let signaller = Task(name: "signaller") {
        try await Task.sleep(for: .seconds(1))
        semaphore.signal()
      }
      do {
        try await semaphore.wait(forNanoseconds: 1_000_000_000)
        semaphore.signal()
      } catch {}
      _ = await signaller.result
      try await semaphore.wait(forNanoseconds: 60_000_000_000)
    }
  }

  // Bug 25: nothing else runs while a barrier runs. But in a cancelled task, work that does not throw runs
  // concurrently with it.
  @Test func aBarrierIsAlone() async {
    await explore(seeds: 10_000) {
      let queue = AsyncObjects.TaskQueue()
      let inside = Mutex(0)
      let most = Mutex(0)
      @Sendable func work(_ turns: Int) async {
        let count = inside.withLock { count in
          count += 1
          return count
        }
        most.withLock { $0 = max($0, count) }
        for _ in 0..<turns { await Task.yield() }
        inside.withLock { $0 -= 1 }
      }
      let barrier = Task(name: "barrier") { await queue.exec(flags: .barrier) { await work(2) } }
      let other = Task(name: "other") { await queue.exec { () async -> Void in await work(1) } }
      let canceller = Task(name: "canceller") { other.cancel() }
      await barrier.value
      await other.value
      await canceller.value
      #expect(most.withLock { $0 } == 1)
    }
  }
}
