import AsyncKnot
import AsyncKnotTesting
import TestSupport
import Testing

@Suite struct SharedSubscriptionTests {
  @Test("E1: each event wakes one of the iterators that share a subscription")
  func oneIsWoken() async {
    let executor = CountingTaskExecutor()
    let channel = EventChannel<Int>()
    let shared = channel.subscribe()
    let received = EventChannel<Int>()
    var all = received.subscribe().makeAsyncIterator()
    await withDiscardingTaskGroup { group in
      for _ in 0..<100 {
        group.addTask(executorPreference: executor) {
          for await event in shared { received.send(event) }
        }
      }
      await waitWhile(channel.waitingCount < 100)
      let before = executor.jobs
      for event in 0..<200 {
        channel.send(event)
        #expect(await all.next() == event)
      }
      // For each event, one job takes the event and waits again. A few jobs find no event and wait again.
      #expect(executor.jobs - before < 400)
      channel.finish()
    }
  }

  @Test("E1: an event that woke a cancelled iterator goes to another iterator")
  func cancelledPassesOn() async {
    await exploreContract(seeds: 4_000) {
      let channel = EventChannel<Int>()
      let shared = channel.subscribe()
      let taken = Log<Int>()
      let readers = (0..<3).map { _ in
        Task(executorPreference: Exploration.executor) {
          for await event in shared { taken.append(event) }
        }
      }
      let sender = Task(executorPreference: Exploration.executor) {
        for event in 0..<3 { channel.send(event) }
      }
      readers[0].cancel()
      readers[1].cancel()
      await sender.value
      channel.finish()
      for reader in readers { await reader.value }
      try hold(taken.all.sorted() == [0, 1, 2], "taken: \(taken.all)")
    }
  }

  @Test("E1: an iterator that is cancelled after it was woken forwards its event")
  func wokenAndCancelled() async {
    await exploreContract(seeds: 4_000, every: .scheduleWithPreemptions(2)) {
      let channel = EventChannel<Int>()
      let shared = channel.subscribe()
      let taken = Log<Int>()
      let readers = (0..<2).map { _ in
        Task(executorPreference: Exploration.executor) {
          if let event = await shared.first(where: { _ in true }) { taken.append(event) }
        }
      }
      await untilIdle()
      channel.send(7)
      let canceller = Task(executorPreference: Exploration.executor) { readers[0].cancel() }
      await canceller.value
      await untilIdle()
      try hold(taken.all == [7], "taken: \(taken.all)")
      channel.finish()
      for reader in readers { await reader.value }
    }
  }
}

/// A task executor that counts its jobs.
private final class CountingTaskExecutor: TaskExecutor {
  private let serial = CountingExecutor()
  var jobs: Int { serial.jobs }
  func enqueue(_ job: consuming ExecutorJob) { serial.count(UnownedJob(job), on: self) }
}
