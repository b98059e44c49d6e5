import AsyncKnot
import AsyncKnotTesting
import ExploreTesting
import TestSupport
import Testing

@testable import AsyncOptical

/// Tests an outbox with in-memory storage; each test decides when the work ends.
@Suite struct OutboxTests {
  private typealias Bench = OutboxBench
  private typealias Item = OutboxBench.Item

  @Test("O19: an item is stored before it starts, and removed when it is done")
  func storedFirst() async {
    await exploreContract(seeds: 500) {
      let (worker, storage, gate, stored) = (Onsite(), Memory(), Gate(), Log<String>())
      let outbox = try await Bench.outbox(of: worker, storage) { _ in
        stored.append(storage.text ?? "-")
        await gate.wait()
      }
      try await outbox.send(Item(id: 1, text: "a"))
      try hold(storage.text == Bench.text("1 a"), "\(storage.text ?? "-")")
      await gate.hasArrived(1)
      try hold(stored.all == [Bench.text("1 a")], "\(stored.all)")
      try hold(outbox.state.waiting == [Item(id: 1, text: "a")], "\(outbox.state)")
      gate.open()
      for await state in outbox.states where state.waiting.isEmpty { break }
      await untilIdle()
      try hold(storage.text == Bench.text(), "\(storage.text ?? "-")")
    }
  }

  @Test(
    "O19: when the initializer, send or resume returns, the holder's state shows the items' changes"
  )
  func shown() async {
    await exploreContract(seeds: 1_000) {
      let post = Bench.Post { _ in try await Task.sleep(for: .seconds(1)) }
      let outbox = try await Bench.outbox(of: post, Memory(Bench.text("1 a", "2 b")))
      try hold(post.state == [1, 2], "\(post.state) after the initializer")
      try await outbox.send(Item(id: 3))
      try hold(post.state == [1, 2, 3], "\(post.state) after send")
      post.cancel("outbox")
      await untilIdle()
      try hold(post.state == [], "\(post.state) after cancel")
      await outbox.resume()
      try hold(post.state == [1, 2, 3], "\(post.state) after resume")
    }
  }

  @Test(
    "O4: what the storage commits while it removes an item does not belong to the item's message")
  func storageCommits() async {
    await exploreContract(seeds: 1_000) {
      let (worker, isDone) = (Onsite(), Shared(false))
      let (removal, gate) = (Gate(), Gate())
      let storage = Memory { access in
        guard access == .write, isDone.value else { return }
        await removal.wait()
        await worker.commit(99)
      }
      let outbox = try await Bench.outbox(of: worker, storage) { _ in isDone.value = true }
      async let later: Void = {
        for _ in 0..<((Exploration.seed ?? 0) % 16) { await Task.yield() }
        worker.send(2) { _ in await gate.wait() }
      }()
      try await outbox.send(Item(id: 1))
      await later
      await removal.hasArrived(1)
      await gate.hasArrived(1)
      worker.knot.bag.cancel()
      removal.open()
      gate.open()
      await untilIdle()
      try hold(worker.state.contains(99), "\(worker.state)")
    }
  }

  /// An opticle that carries out two items at a time; the request of item 0 is cancelled by its operation.
  private actor Pair: Opticle {
    let knot = Knot<[Int]>([])
    let gates = (0..<3).map { _ in Gate() }

    nonisolated func policy(for item: Item) -> DispatchPolicy { .serial("outbox", atMost: 2) }
    func expectation(for item: Item) -> Int? { item.id }
    func dispatch(_ item: Item) async {
      await commit(expectationFor: item) { [gates] in
        await gates[item.id].wait()
        if item.id == 0 { throw CancellationError() }
      }
    }
    func mutate(_ state: inout [Int], response: Int) {
      if !state.contains(response) { state.append(response) }
    }
    func recover(_ state: inout [Int], request: Item, error: any Error) {}
  }

  @Test(
    "O19: after the only waiting item is discarded, later items start even if one was in flight")
  func discardedBesideAnother() async {
    await exploreContract(seeds: 200) {
      let pair = Pair()
      let outbox = try await Outbox<Item>(
        of: pair, storage: Memory(), encode: Bench.encode, decode: Bench.decode, request: { $0 })
      for id in 0...1 { try await outbox.send(Item(id: id)) }
      await pair.gates[1].hasArrived(1)
      pair.gates[0].open()
      await untilIdle()
      try hold(
        outbox.state.isPaused && outbox.state.waiting.map(\.id) == [0, 1], "\(outbox.state)")
      try hold(try await outbox.discard(0), "the item was not discarded")
      for gate in pair.gates { gate.open() }
      try await outbox.send(Item(id: 2))
      await untilIdle()
      try hold(!outbox.state.isPaused && pair.state == [1, 2], "\(pair.state), \(outbox.state)")
    }
  }

  @Test("O19: items of several senders are stored and sent in the same order")
  func oneOrder() async {
    await exploreContract(seeds: 2_000) {
      let (worker, gate) = (Onsite(), Gate())
      let storage = Memory { _ in await Task.yield() }
      let outbox = try await Bench.outbox(of: worker, storage) { _ in await gate.wait() }
      await withDiscardingTaskGroup { group in
        for id in 1...3 { group.addTask { try? await outbox.send(Item(id: id)) } }
      }
      await untilIdle()
      let order = outbox.state.waiting.map(\.id)
      try hold(order.sorted() == [1, 2, 3], "\(order) wait")
      try hold(
        storage.text == "AsyncKnot outbox 1\n" + order.map { "2\n\($0) " }.joined(),
        "\(order), stored \(storage.text ?? "-")")
      gate.open()
      await untilIdle()
      try hold(worker.started.all == order, "\(worker.started.all), not \(order)")
      sometimes("the third item is stored first", order.first == 3)
    }
  }

  @Test("O19: an item that cannot be stored is not sent, but the next item is")
  func fullStorage() async {
    await exploreContract(seeds: 500, allowing: [.noChoice]) {
      let (worker, storage) = (Onsite(), Memory())
      let outbox = try await Bench.outbox(of: worker, storage)
      storage.content.withLock { $0.isFull = true }
      do {
        try await outbox.send(Item(id: 1))
        throw Violation(description: "send returned for an item that was not stored")
      } catch is Broken {}
      try hold(outbox.state.waiting.isEmpty && outbox.state.failure is Broken, "\(outbox.state)")
      storage.content.withLock { $0.isFull = false }
      try await outbox.send(Item(id: 2))
      await untilIdle()
      try hold(worker.state == [2], "\(worker.state)")
      try hold(outbox.state.waiting.isEmpty && outbox.state.failure == nil, "\(outbox.state)")
      try hold(storage.text == Bench.text(), "\(storage.text ?? "-")")
    }
  }

  @Test("O19: if the storage sometimes fails, each sender learns what happened to its item")
  func refusesSometimes() async {
    await exploreContract(seeds: 3_000) {
      let worker = Onsite()
      let storage = Memory { access in
        await Task.yield()
        if access == .write, Bool.random() { throw Broken() }
      }
      let outbox = try await Bench.outbox(of: worker, storage)
      let stored = Log<Int>()
      await withDiscardingTaskGroup { group in
        for id in 1...3 {
          group.addTask {
            do {
              try await outbox.send(Item(id: id))
              stored.append(id)
            } catch {}
          }
        }
      }
      await untilIdle()
      try hold(
        worker.started.all.sorted() == stored.all.sorted(),
        "\(worker.started.all), stored \(stored.all)")
      try hold(outbox.state.waiting.isEmpty, "\(outbox.state)")
      sometimes("a send is refused", stored.all.count == 2)
    }
  }

  @Test(
    "O19: items that cannot be decoded stay stored and are reported, and the other items are sent"
  )
  func unreadable() async throws {
    let storage = Memory(Bench.text("1 a", "new-format", "2 b"))
    let worker = Onsite()
    let outbox = try await Bench.outbox(of: worker, storage)
    await waitWhile(outbox.state.waiting.count > 0)
    #expect(worker.state == [1, 2])
    #expect(outbox.state.unreadable == [Array("new-format".utf8)])
    await waitWhile(storage.text != Bench.text("new-format"))
    storage.content.withLock { $0.isFull = true }
    await #expect(throws: Broken.self) { try await outbox.discardUnreadable() }
    #expect(outbox.state.unreadable.count == 1)
    storage.content.withLock { $0.isFull = false }
    #expect(try await outbox.discardUnreadable() == [Array("new-format".utf8)])
    #expect(outbox.state.unreadable == [] && storage.text == Bench.text())
  }

  @Test(
    "O19: damaged bytes are set aside and reported",
    arguments: [
      "rubbish", "AsyncKnot outbox 1\n9\nshort", "AsyncKnot outbox 1\nx\n", "AsyncKnot outbox 7\n",
      "AsyncKnot outbox 1\n-1\n",
    ])
  func damaged(_ text: String) async throws {
    let (worker, storage) = (Onsite(), Memory(text))
    let outbox = try await Bench.outbox(of: worker, storage)
    #expect(outbox.state.damage?.keptAt == "aside")
    #expect(storage.content.withLock { $0.aside } == Array(text.utf8))
    try await outbox.send(Item(id: 1))
    #expect(outbox.state.damage != nil, "the damage stays reported")
  }

  @Test(
    "O19: if the task is cancelled while an outbox decodes its items, the outbox is not created")
  func cancelledDecoding() async {
    let storage = Memory(Bench.text("1 a", "2 b"))
    let task = Task {
      try await Outbox<Item>(
        of: Onsite(), storage: storage, encode: Bench.encode,
        decode: { bytes in
          withUnsafeCurrentTask { $0?.cancel() }
          try Task.checkCancellation()
          return try Bench.decode(bytes)
        },
        request: { Onsite.Request(id: $0.id, policy: .concurrent, work: { _ in }) })
    }
    await #expect(throws: CancellationError.self) { _ = try await task.value }
    #expect(storage.text == Bench.text("1 a", "2 b"))
  }

  @Test("O19: cancelled items stay stored, and are sent again in their original order")
  func resume() async {
    await exploreContract(seeds: 500, allowing: [.noChoice]) {
      let (worker, storage, gate) = (Onsite(), Memory(), Gate())
      let outbox = try await Bench.outbox(of: worker, storage) { _ in await gate.wait() }
      for id in 1...3 { try await outbox.send(Item(id: id)) }
      await untilIdle()
      worker.cancel("outbox")
      gate.open()
      await untilIdle()
      try hold(worker.state == [], "\(worker.state)")
      try hold(outbox.state.waiting.map(\.id) == [1, 2, 3], "\(outbox.state)")
      try hold(storage.text == Bench.text("1 ", "2 ", "3 "), "\(storage.text ?? "-")")
      await outbox.resume()
      await outbox.resume()
      await untilIdle()
      try hold(worker.state == [1, 2, 3], "\(worker.state)")
      try hold(storage.text == Bench.text(), "\(storage.text ?? "-")")
    }
  }

  @Test("O19: the handler of an item may send another item under the same serial id")
  func fromAHandler() async {
    await exploreContract(seeds: 200, allowing: [.noChoice]) {
      let (worker, place) = (Onsite(), Shared<Outbox<Item>?>(nil))
      let outbox = try await Bench.outbox(of: worker, Memory()) { holder in
        if holder.started.all == [1] { try? await place.value?.send(Item(id: 2)) }
      }
      place.value = outbox
      try await outbox.send(Item(id: 1))
      await untilIdle()
      try hold(worker.state == [1, 2], "\(worker.state)")
      try hold(outbox.state.waiting.isEmpty, "\(outbox.state)")
      place.value = nil
    }
  }

  @Test("O19: an item is refused while another one with its id is being stored")
  func refusedWhileStored() async {
    await exploreContract(seeds: 50, allowing: [.noChoice]) {
      let (worker, gate, outcomes) = (Onsite(), Gate(), Log<String>())
      let storage = Memory { if $0 == .write { await gate.wait() } }
      let outbox = try await Bench.outbox(of: worker, storage)
      for text in ["a", "b"] {
        Task {
          do {
            try await outbox.send(Item(id: 1, text: text))
            outcomes.append("stored")
          } catch is Outbox<Item>.DuplicateItem { outcomes.append("refused") }
        }
        await untilIdle()
      }
      gate.open()
      await untilIdle()
      try hold(outcomes.all == ["refused", "stored"], "\(outcomes.all)")
      try hold(worker.state == [1], "\(worker.state)")
    }
  }

  @Test(
    "O19: a second item with the id of a waiting item is refused, and an outbox does not keep its holder alive"
  )
  func refusals() async throws {
    let gate = Gate()
    var worker: Onsite? = Onsite()
    weak let place = worker
    let outbox = try await Bench.outbox(of: try #require(worker), Memory()) { _ in await gate.wait()
    }
    try await outbox.send(Item(id: 1))
    await #expect(throws: Outbox<Item>.DuplicateItem.self) { try await outbox.send(Item(id: 1)) }
    gate.open()
    worker = nil
    await waitWhile(place != nil)
    withExtendedLifetime(outbox) {}
  }
}
