import AsyncKnot
import AsyncKnotTesting
import ExploreTesting
import TestSupport
import Testing

@testable import AsyncOptical

/// If a request ends, but its item is not done, the item waits, and no later item of its id starts before it.
@Suite struct OutboxOrderTests {
  private typealias Bench = OutboxBench

  @Test(
    "O19: an item whose operation throws its own CancellationError waits, and so do later items"
  )
  func ownCancellation() async {
    await exploreContract(seeds: 500, allowing: [.noChoice]) {
      let (isBroken, taken, storage) = (Shared(true), Log<Int>(), Memory())
      let post = Bench.Post { id in
        if isBroken.value { throw CancellationError() }
        taken.append(id)
      }
      let outbox = try await Bench.outbox(of: post, storage)
      for id in 1...3 { try await outbox.send(.init(id: id)) }
      await untilIdle()
      try hold(outbox.state.waiting.map(\.id) == [1, 2, 3], "\(outbox.state)")
      try hold(storage.text == Bench.text("1 ", "2 ", "3 "), "\(storage.text ?? "-")")
      try hold(post.refused.all == [], "\(post.refused.all) failed")
      isBroken.value = false
      await outbox.resume()
      await untilIdle()
      try hold(taken.all == [1, 2, 3] && outbox.state.waiting.isEmpty, "\(taken.all)")
    }
  }

  @Test("O19: an item that is sent right after a cancellation does not overtake cancelled items")
  func sendAfterCancel() async {
    await exploreContract(seeds: 2_000) {
      let (worker, gate) = (Onsite(), Gate())
      let outbox = try await Bench.outbox(of: worker, Memory()) { _ in await gate.wait() }
      for id in 1...3 { try await outbox.send(.init(id: id)) }
      worker.cancel("outbox")
      try await outbox.send(.init(id: 4))
      gate.open()
      await untilIdle()
      let early = worker.state
      await outbox.resume()
      await untilIdle()
      try hold(worker.state == [1, 2, 3, 4], "\(worker.state), before resume() \(early)")
      try hold(outbox.state.waiting.isEmpty, "\(outbox.state)")
    }
  }

  @Test("O19: a cancelled bag stops the item in flight, and no later item overtakes it")
  func cancelledBag() async {
    await exploreContract(seeds: 1_000) {
      let (worker, gate) = (Onsite(), Gate())
      let outbox = try await Bench.outbox(of: worker, Memory()) { _ in await gate.wait() }
      for id in 1...3 { try await outbox.send(.init(id: id)) }
      await gate.hasArrived(1)
      worker.knot.bag.cancel()
      gate.open()
      await untilIdle()
      await outbox.resume()
      await untilIdle()
      try hold(worker.state == [1, 2, 3], "\(worker.state)")
    }
  }

  @Test("O19: cancelling one id does not stop items of other ids")
  func otherIds() async {
    await exploreContract(seeds: 500) {
      let (worker, gate, storage) = (Onsite(), Gate(), Memory())
      let outbox = try await Outbox<Bench.Item>(
        of: worker, storage: storage, encode: Bench.encode, decode: Bench.decode,
        request: { item in
          Onsite.Request(id: item.id, policy: .serial(item.id % 2)) { _ in await gate.wait() }
        })
      for id in 1...4 { try await outbox.send(.init(id: id)) }
      worker.cancel(1)
      gate.open()
      await untilIdle()
      try await outbox.send(.init(id: 6))
      await untilIdle()
      try hold(worker.state == [2, 4, 6], "\(worker.state)")
      try hold(outbox.state.isPaused, "\(outbox.state)")
      await outbox.resume()
      await untilIdle()
      try hold(worker.state == [2, 4, 6, 1, 3], "\(worker.state)")
      try hold(outbox.state.waiting.isEmpty && !outbox.state.isPaused, "\(outbox.state)")
    }
  }

  @Test("O19: a concurrent item that was cancelled does not stop other items")
  func concurrentItems() async {
    await exploreContract(seeds: 200, allowing: [.noChoice]) {
      let (worker, gate) = (Onsite(), Gate())
      let outbox = try await Outbox<Bench.Item>(
        of: worker, storage: Memory(), encode: Bench.encode, decode: Bench.decode,
        request: { item in
          Onsite.Request(id: item.id, policy: .concurrent) { _ in await gate.wait() }
        })
      try await outbox.send(.init(id: 1))
      await untilIdle()
      worker.knot.bag.cancel()
      gate.open()
      await untilIdle()
      try await outbox.send(.init(id: 2))
      await untilIdle()
      try hold(worker.state == [2] && outbox.state.waiting.map(\.id) == [1], "\(worker.state)")
    }
  }

  @Test("O19: a discarded item is neither sent nor shown, and the other items keep their order")
  func discarded() async {
    await exploreContract(seeds: 1_000) {
      let (worker, gate, storage) = (Onsite(), Gate(), Memory())
      let outbox = try await Bench.outbox(of: worker, storage) { _ in await gate.wait() }
      for id in 1...4 { try await outbox.send(.init(id: id)) }
      await gate.hasArrived(1)
      let results = try await [
        outbox.discard(1), outbox.discard(3), outbox.discard(3), outbox.discard(9),
      ]
      try hold(results == [false, true, false, false], "\(results)")
      try hold(storage.text == Bench.text("1 ", "2 ", "4 "), "\(storage.text ?? "-")")
      try await outbox.send(.init(id: 3))
      gate.open()
      await untilIdle()
      try hold(worker.state == [1, 2, 4, 3], "\(worker.state)")
      try hold(outbox.state.waiting.isEmpty && !outbox.state.isPaused, "\(outbox.state)")
    }
  }

  @Test("O19: the change of a discarded item is removed while an earlier item is in flight")
  func discardedChange() async {
    await exploreContract(seeds: 500) {
      let gate = Gate()
      let post = Bench.Post { _ in await gate.wait() }
      let outbox = try await Bench.outbox(of: post, Memory())
      for id in 1...4 { try await outbox.send(.init(id: id)) }
      await gate.hasArrived(1)
      for id in [2, 4] {
        _ = try await outbox.discard(id)
        try hold(!post.state.contains(id), "\(post.state) is shown after item \(id) was discarded")
      }
      await untilIdle()
      try hold(post.state == [1, 3], "\(post.state) is shown")
      gate.open()
      await untilIdle()
      try hold(post.state == [1, 3] && outbox.state.waiting.isEmpty, "\(post.state)")
    }
  }

  @Test("O19: a discarded item is not sent, even if its outbox is released before the holder")
  func discardedBeforeTheEnd() async {
    await exploreContract(seeds: 500) {
      let (worker, gate) = (Onsite(), Gate())
      do {
        let outbox = try await Bench.outbox(of: worker, Memory()) { _ in await gate.wait() }
        for id in 1...3 { try await outbox.send(.init(id: id)) }
        await gate.hasArrived(1)
        _ = try await outbox.discard(2)
      }
      gate.open()
      await untilIdle()
      try hold(worker.state == [1, 3], "\(worker.state)")
    }
  }

  @Test("O19: a cancelled item can be discarded before the others are resumed")
  func discardedAfterCancel() async {
    await exploreContract(seeds: 1_000) {
      let (worker, gate, storage) = (Onsite(), Gate(), Memory())
      let outbox = try await Bench.outbox(of: worker, storage) { _ in await gate.wait() }
      for id in 1...3 { try await outbox.send(.init(id: id)) }
      await gate.hasArrived(1)
      worker.cancel("outbox")
      gate.open()
      await untilIdle()
      try hold(try await outbox.discard(1), "the cancelled item was not discarded")
      await outbox.resume()
      await untilIdle()
      try hold(worker.state == [2, 3], "\(worker.state)")
      let next = Onsite()
      _ = try await Bench.outbox(of: next, storage)
      await untilIdle()
      try hold(next.state == [], "the next run sends \(next.state)")
    }
  }

  @Test(
    "O19: an item can be discarded as soon as its id or bag is cancelled, before its handler returns",
    arguments: [true, false])
  func discardedAtOnce(byID: Bool) async {
    await exploreContract(seeds: 500) {
      let (gate, storage) = (Gate(), Memory())
      let post = Bench.Post { _ in await gate.wait() }
      let outbox = try await Bench.outbox(of: post, storage)
      for id in 1...2 { try await outbox.send(.init(id: id)) }
      await gate.hasArrived(1)
      if byID { post.cancel("outbox") } else { post.knot.bag.cancel() }
      try hold(try await outbox.discard(1), "the cancelled item was not discarded")
      try hold(!post.state.contains(1), "\(post.state) is shown")
      try hold(storage.text == Bench.text("2 "), "\(storage.text ?? "-")")
      await outbox.resume()
      gate.open()
      await untilIdle()
      try hold(post.state == [2] && outbox.state.waiting.isEmpty, "\(post.state)")
    }
  }

  @Test(
    "O19: resume() directly after a cancellation sends the item again, and nothing stays paused",
    arguments: [true, false])
  func resumedAtOnce(byID: Bool) async {
    await exploreContract(seeds: 300) {
      let (gate, taken) = (Gate(), Log<Int>())
      let post = Bench.Post { id in
        await gate.wait()
        if !Task.isCancelled { taken.append(id) }
      }
      let outbox = try await Bench.outbox(of: post, Memory())
      for id in 1...3 { try await outbox.send(.init(id: id)) }
      await gate.hasArrived(1)
      if byID { post.cancel("outbox") } else { post.knot.bag.cancel() }
      await outbox.resume()
      await untilIdle()
      try hold(!outbox.state.isPaused, "\(outbox.state)")
      try hold(outbox.state.waiting.map(\.id) == [1, 2, 3], "\(outbox.state)")
      gate.open()
      await untilIdle()
      try hold(taken.all == [1, 2, 3] && post.state == [1, 2, 3], "\(taken.all), \(post.state)")
      try hold(outbox.state.waiting.isEmpty && !outbox.state.isPaused, "\(outbox.state)")
    }
  }

  @Test(
    "O19: resume() directly after a cancellation also sends items that are still in the mailbox",
    arguments: [true, false])
  func resumedInTheMailbox(byID: Bool) async {
    await exploreContract(seeds: 500) {
      let (worker, gate) = (Onsite(), Gate())
      let outbox = try await Bench.outbox(of: worker, Memory()) { _ in await gate.wait() }
      for id in 1...2 { try await outbox.send(.init(id: id)) }
      if byID { worker.cancel("outbox") } else { worker.knot.bag.cancel() }
      await outbox.resume()
      gate.open()
      await untilIdle()
      try hold(worker.state == [1, 2], "\(worker.state), \(outbox.state)")
      try hold(outbox.state.waiting.isEmpty && !outbox.state.isPaused, "\(outbox.state)")
    }
  }

  @Test(
    "O19: items that are sent during a cancellation and two calls of resume() keep their order",
    arguments: [true, false])
  func resumedDuringSends(byID: Bool) async {
    await exploreContract(seeds: 5_000) {
      let (worker, accepted) = (Onsite(), Log<Int>())
      let outbox = try await Outbox<Bench.Item>(
        of: worker, storage: Memory(),
        encode: {
          accepted.append($0.id)
          return Bench.encode($0)
        }, decode: Bench.decode,
        request: { Onsite.Request(id: $0.id, policy: .serial("outbox"), work: { _ in }) })
      await withThrowingTaskGroup { group in
        for id in 1...3 { group.addTask { try await outbox.send(.init(id: id)) } }
        group.addTask {
          if byID { worker.cancel("outbox") } else { worker.knot.bag.cancel() }
          async let other: Void = outbox.resume()
          await outbox.resume()
          await other
        }
      }
      await untilIdle()
      // A request that is cancelled after its commit is carried out again.
      let done = worker.state.reduce(into: [Int]()) { if $0.last != $1 { $0.append($1) } }
      try hold(done == accepted.all, "\(worker.state), sent in the order \(accepted.all)")
      try hold(outbox.state.waiting.isEmpty && !outbox.state.isPaused, "\(outbox.state)")
    }
  }

  @Test("O19, O15: resume() directly after a cancellation shows the items' changes in order")
  func resumedChanges() async {
    await exploreContract(seeds: 50) {
      let gate = Gate()
      let post = Bench.Post { _ in await gate.wait() }
      let outbox = try await Bench.outbox(of: post, Memory())
      for id in 1...9 { try await outbox.send(.init(id: id)) }
      await untilIdle()
      post.knot.bag.cancel()
      await outbox.resume()
      await untilIdle()
      try hold(post.state == Array(1...9), "\(post.state) is shown")
      gate.open()
    }
  }

  @Test(
    "O19, O15: an item that must not start when its turn comes is dropped, and its change is removed"
  )
  func mayNotStart() async throws {
    await explore(seeds: 100) {
      let (gate, outcomes) = (Gate(), Log<String>())
      let post = Bench.Post { _ in await gate.wait() }
      post.send(.init(id: 1))
      _ = post.send(.init(id: 2)) {
        true
      } if: {
        false
      } then: {
        outcomes.append("\($0)")
      }
      await untilIdle()
      try hold(post.state == [1, 2], "\(post.state) is shown")
      gate.open()
      await untilIdle()
      try hold(post.state == [1] && outcomes.all == ["dropped"], "\(post.state), \(outcomes.all)")
    }
  }

  @Test(
    "O19: if resume(), discard and send overlap, items keep their order, and each shows one change",
    arguments: [
      ["resume", "send"], ["discard", "send"], ["resume", "resume"], ["resume", "discard"],
    ])
  func overlapping(calls: [String]) async {
    await exploreContract(seeds: 2_000) {
      let (gate, taken) = (Gate(), Log<Int>())
      let post = Bench.Post { id in
        await gate.wait()
        taken.append(id)
      }
      let outbox = try await Bench.outbox(of: post, Memory())
      for id in 1...4 { try await outbox.send(.init(id: id)) }
      let discarded = Log<Int>()
      try await withThrowingDiscardingTaskGroup { group in
        for call in calls {
          group.addTask {
            for turn in 0..<3 {
              switch call {
              case "resume": await outbox.resume()
              case "send": try await outbox.send(.init(id: 5 + turn))
              default: if try await outbox.discard(4 - turn) { discarded.append(4 - turn) }
              }
            }
          }
        }
      }
      await untilIdle()
      var expected = Array(calls.contains("send") ? 1...7 : 1...4)
      expected.removeAll { discarded.all.contains($0) }
      try hold(post.state.sorted() == expected, "\(post.state) is shown")
      let count = await post.pendingCount
      try hold(count == expected.count, "\(count) changes are shown")
      gate.open()
      await untilIdle()
      try hold(taken.all == expected && outbox.state.waiting.isEmpty, "\(taken.all)")
    }
  }

  @Test("O19: a discarded item is not sent in this run, even if the storage failed to remove it")
  func discardFails() async {
    await exploreContract(seeds: 500) {
      let (worker, gate, storage) = (Onsite(), Gate(), Memory())
      let outbox = try await Bench.outbox(of: worker, storage) { _ in await gate.wait() }
      for id in 1...3 { try await outbox.send(.init(id: id)) }
      await gate.hasArrived(1)
      storage.content.withLock { $0.isFull = true }
      do {
        _ = try await outbox.discard(2)
        throw Violation(description: "discard returned while the storage was full")
      } catch is Broken {}
      try hold(outbox.state.failure is Broken, "\(outbox.state)")
      storage.content.withLock { $0.isFull = false }
      gate.open()
      await untilIdle()
      try hold(worker.state == [1, 3], "\(worker.state)")
      try hold(storage.text == Bench.text(), "\(storage.text ?? "-")")
    }
  }
}
