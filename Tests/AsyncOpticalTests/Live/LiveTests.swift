import AsyncKnot
import AsyncKnotTesting
import AsyncOptical
import TestSupport
import Testing

@Suite struct LiveTests {
  @Test("OR8, O6: a handler gets the current state first, and each call to live is independent")
  func replays() async {
    await exploreContract(seeds: 500) {
      let worker = Worker()
      await worker.commit(1)
      let (first, second) = (Log<[Int]>(), Log<[Int]>())
      worker.watch.live(in: worker.knot.bag) { first.append($0.done) }
      await untilIdle()
      worker.watch.live(in: worker.knot.bag) { second.append($0.done) }
      await untilIdle()
      await worker.commit(2)
      await untilIdle()
      try hold(first.all == [[1], [1, 2]], "first \(first.all)")
      try hold(second.all == [[1], [1, 2]], "second \(second.all)")
    }
  }

  @Test("OR10, OR11: map and filter compose, and leave the original sequence unchanged")
  func composes() async {
    await exploreContract(seeds: 500) {
      let worker = Worker()
      let (all, long, even) = (Log<Int>(), Log<Int>(), Log<Int>())
      let counts = worker.watch.map(\.done.count)
      counts.filter { $0 > 1 }.live(in: worker.knot.bag) { long.append($0) }
      counts.filter { $0.isMultiple(of: 2) }.map { -$0 }.live(in: worker.knot.bag) {
        even.append($0)
      }
      counts.live(in: worker.knot.bag) { all.append($0) }
      for id in 0..<3 {
        await untilIdle()
        await worker.commit(id)
      }
      await untilIdle()
      try hold(all.all == [0, 1, 2, 3], "all \(all.all)")
      try hold(long.all == [2, 3], "long \(long.all)")
      try hold(even.all == [0, -2], "even \(even.all)")
    }
  }

  @Test(
    "OR9, OR13: each handler sees states in order up to the last, even if a handler commits")
  func inOrder() async {
    await exploreContract {
      let worker = Worker()
      let logs = [Log<Int>(), Log<Int>()]
      for log in logs {
        worker.watch.map(\.done.count).live(in: worker.knot.bag) { count in
          log.append(count)
          if count == 1 { await worker.commit(9) }
          await Task.yield()
        }
      }
      await withDiscardingTaskGroup { group in
        for id in 0..<3 { group.addTask { await worker.commit(id) } }
      }
      await untilIdle()
      for log in logs {
        let seen = log.all
        try hold(seen == Array(Set(seen)).sorted(), "out of order: \(seen)")
        try hold(seen.last == worker.state.done.count, "the last state is missing: \(seen)")
      }
    }
  }

  @Test(
    "OR12, O6: a cancelled handler receives nothing, and a new handler begins with the newest state"
  )
  func restarted() async {
    await exploreContract {
      let worker = Worker()
      let log = Log<[Int]>()
      @Sendable func watch() -> TaskBag.Entry {
        worker.watch.map(\.done).live(in: worker.knot.bag) { log.append($0) }
      }
      let first = watch()
      await untilIdle()
      first.cancel()
      await worker.commit(1)
      await worker.commit(2)
      await untilIdle()
      try hold(log.all == [[]], "delivered after the end: \(log.all)")
      let second = watch()
      await untilIdle()
      await worker.commit(3)
      await untilIdle()
      try hold(log.all == [[], [1, 2], [1, 2, 3]], "delivered \(log.all)")
      second.cancel()
      await worker.commit(4)
      await untilIdle()
      try hold(log.all.count == 3, "delivered after the end: \(log.all)")
    }
  }

  @Test(
    "OR7, O6: a handler leaves nothing behind, whether it or its bag is cancelled")
  func leavesNothing() async {
    await exploreContract(seeds: 500) {
      let worker = Worker()
      let bag = TaskBag()
      for _ in 0..<3 { _ = worker.watch.map(\.done) }
      let entries = (0..<2).map { _ in worker.watch.live(in: worker.knot.bag) { _ in } }
      worker.watch.live(in: bag) { _ in }
      for await _ in worker.watch { break }
      await untilIdle()
      let probe = LifetimeProbe(worker)
      try hold(probe.registeredObservers == 3, "\(probe.registeredObservers) observers")
      for entry in entries { entry.cancel() }
      bag.cancel()
      await untilIdle()
      try hold(probe.registeredObservers == 0, "\(probe.registeredObservers) observers")
      try hold(bag.isEmpty, "the bag is not empty")
    }
  }

  @Test("OR9, O6: a handler runs in the isolation of its closure")
  @MainActor func isolation() async {
    let worker = Worker()
    var seen: [Int] = []
    let entry = worker.watch.map(\.done.count).live(in: worker.knot.bag) { count in
      MainActor.assertIsolated()
      seen.append(count)
    }
    await waitWhile(seen != [0])
    await worker.commit(1)
    await waitWhile(seen != [0, 1])
    await worker.commit(2)
    entry.cancel()
    // The second commit may have been delivered before the test resumed here.
    let seenBefore = seen
    for _ in 0..<50 { await Task.yield() }
    #expect(seen == seenBefore, "a handler cancelled on its isolation is not called again")
  }
}
