import AsyncKnot
import ExploreTesting
import TestSupport
import Testing

@testable import AsyncOptical

/// Tests outboxes that are closed or released, and mistakes that an outbox refuses.
@Suite struct OutboxCloseTests {
  private typealias Bench = OutboxBench
  private typealias Item = OutboxBench.Item
  private typealias Post = OutboxBench.Post

  @Test("O19: an outbox that nobody keeps still removes the items that its holder carries out")
  func released() async {
    await exploreContract(seeds: 500) {
      let (gate, storage) = (Gate(), Memory())
      let post = Post { _ in await gate.wait() }
      do {
        let outbox = try await Bench.outbox(of: post, storage)
        try await outbox.send(Item(id: 1))
      }
      await gate.hasArrived(1)
      gate.open()
      await untilIdle()
      try hold(
        post.state == [1] && storage.text == Bench.text(), "\(post.state), \(storage.text ?? "-")")
    }
  }

  @Test("O19: an outbox that nobody keeps is released once its messages have ended")
  func notLeaked() async {
    await exploreContract(seeds: 200) {
      let gate = Gate()
      let post = Post { _ in await gate.wait() }
      weak var weakOutbox: Outbox<Item>?
      do {
        let outbox = try await Bench.outbox(of: post, Memory())
        weakOutbox = outbox
        try await outbox.send(Item(id: 1))
        try await outbox.send(Item(id: 2))
      }
      await gate.hasArrived(1)
      try hold(weakOutbox != nil, "the outbox was released while a request was in flight")
      gate.open()
      await untilIdle()
      try hold(weakOutbox == nil, "the outbox is still alive")
      withExtendedLifetime(post) {}
    }
  }

  @Test(
    "O19: after close() no write follows, and a new outbox sends the items that are not done",
    arguments: [DispatchPolicy.serial("outbox"), .concurrent])
  func close(policy: DispatchPolicy) async {
    await exploreContract(seeds: 1_000) {
      let writes = Shared(0)
      let storage = Memory {
        if $0 == .write { writes.value += 1 }
        await Task.yield()
      }
      let worker = Onsite()
      let outbox = try await Bench.outbox(of: worker, storage, policy) { _ in await Task.yield() }
      async let isSent: Bool? = try? await {
        try await outbox.send(Item(id: 2))
        return true
      }()
      try await outbox.send(Item(id: 1))
      if Bool.random() { worker.knot.bag.cancel() }
      await outbox.close()
      // A `send` that begins after `close` is refused.
      let ids = await isSent == true ? [1, 2] : [1]
      let (count, done, waiting) = (writes.value, worker.state, outbox.state.waiting.map(\.id))
      // An item whose operation has ended may be sent again if its handler had not returned.
      try hold(Set(done + waiting) == Set(ids), "\(done) is done, \(waiting) waits")
      try hold(outbox.state.isPaused == !waiting.isEmpty, "\(outbox.state)")
      await untilIdle()
      try hold(writes.value == count && worker.state == done, "\(writes.value), \(worker.state)")
      let later = Onsite()
      let next = try await Bench.outbox(of: later, storage, policy)
      await untilIdle()
      try hold(Set(done + later.state) == Set(ids), "\(done), then \(later.state)")
      try hold(storage.text == Bench.text(), "\(storage.text ?? "-")")
      sometimes("an item waits", !waiting.isEmpty)
      sometimes("an item is done", done.count > 0)
      withExtendedLifetime(next) {}
    }
  }

  @Test("O19: close() cancels a request in flight, and starts none of the items behind it")
  func closeCancels() async {
    await exploreContract(seeds: 500, allowing: [.noChoice]) {
      let (gate, storage) = (Gate(), Memory())
      let post = Post { _ in await gate.wait() }
      let outbox = try await Bench.outbox(of: post, storage)
      for id in 1...3 { try await outbox.send(Item(id: id)) }
      await gate.hasArrived(1)
      async let first: Void = outbox.close()
      async let second: Void = outbox.close()
      _ = await (first, second)
      // The operation ignores its cancellation, and its change is removed before it returns.
      try hold(post.state == [], "\(post.state) is shown")
      gate.open()
      await outbox.close()
      await outbox.resume()
      await untilIdle()
      try hold(post.state == [] && outbox.state.isPaused, "\(post.state), \(outbox.state)")
      try hold(storage.text == Bench.text("1 ", "2 ", "3 "), "\(storage.text ?? "-")")
    }
  }

  @Test("O19: close() waits for the write of an item, and the item is not sent")
  func closeDuringSend() async {
    await exploreContract(seeds: 500) {
      let (gate, ends) = (Gate(), Log<String>())
      let storage = Memory {
        guard $0 == .write else { return }
        await gate.wait()
        ends.append("written")
      }
      let worker = Onsite()
      let outbox = try await Bench.outbox(of: worker, storage)
      async let sent: Void = outbox.send(Item(id: 1))
      await gate.hasArrived(1)
      async let closed: Void = {
        await outbox.close()
        ends.append("closed")
      }()
      await untilIdle()
      gate.open()
      _ = try await (sent, closed)
      await untilIdle()
      try hold(ends.all == ["written", "closed"], "\(ends.all)")
      try hold(
        worker.started.all == [] && storage.text == Bench.text("1 "), "\(worker.started.all)")
      try hold(outbox.state.isPaused && outbox.state.waiting.map(\.id) == [1], "\(outbox.state)")
    }
  }

  @Test("O19: a closed outbox refuses items, and discards none")
  func closed() async {
    typealias Closed = Outbox<Item>.Closed
    await exploreContract(seeds: 50) {
      let (gate, storage) = (Gate(), Memory(Bench.text("1 a", "new-format")))
      let post = Post { _ in await gate.wait() }
      let outbox = try await Bench.outbox(of: post, storage)
      await outbox.close()
      await #expect(throws: Closed.self) { try await outbox.send(Item(id: 2)) }
      await #expect(throws: Closed.self) { _ = try await outbox.discard(1) }
      await #expect(throws: Closed.self) { try await outbox.discardUnreadable() }
      try hold(storage.text == Bench.text("1 a", "new-format"), "\(storage.text ?? "-")")
      gate.open()
    }
    #expect(
      Closed().description == "Outbox: this outbox was closed; create another one for its storage")
  }

  @Test(
    "O19: an item that is sent while a stopped item is discarded is carried out, at the latest after resume()"
  )
  func discardDuringSend() async {
    await exploreContract(seeds: 2_000) {
      let post = Post { if $0 == 1 { throw CancellationError() } }
      let isBroken = Shared(false)
      let storage = Memory {
        await Task.yield()
        if $0 == .write, isBroken.value, Bool.random() { throw Broken() }
      }
      let outbox = try await Bench.outbox(of: post, storage)
      try await outbox.send(Item(id: 1))
      await untilIdle()
      try hold(outbox.state.isPaused, "\(outbox.state)")
      isBroken.value = true
      async let sent: Void? = try? await outbox.send(Item(id: 2))
      async let discarded = try? await outbox.discard(1)
      let isSent = await (sent, discarded).0 != nil
      isBroken.value = false
      try await outbox.send(Item(id: 3))
      await untilIdle()
      try hold(outbox.state.isPaused == !outbox.state.waiting.isEmpty, "\(outbox.state)")
      sometimes("item 2 is sent without resume()", isSent && !outbox.state.isPaused)
      // If item 2 was stored before item 1 was discarded, it waits until `resume()`.
      if isSent { await outbox.resume() }
      await untilIdle()
      try hold(post.state == (isSent ? [2, 3] : [3]), "\(post.state), \(outbox.state)")
      sometimes("the send fails", !isSent)
      sometimes("the send succeeds", isSent)
    }
  }

  @Test("O19: state.failure is the error of the last write, even if saves overlap")
  func lastFailure() async {
    await exploreContract(seeds: 2_000) {
      let (gate, lastFailed) = (Gate(), Shared(false))
      let post = Post { _ in await gate.wait() }
      let storage = Memory {
        guard $0 == .write else { return }
        await Task.yield()
        lastFailed.value = Bool.random()
        if lastFailed.value { throw Broken() }
      }
      let outbox = try await Bench.outbox(of: post, storage)
      await withDiscardingTaskGroup { group in
        for id in 1...3 { group.addTask { try? await outbox.send(Item(id: id)) } }
      }
      await untilIdle()
      try hold((outbox.state.failure != nil) == lastFailed.value, "\(outbox.state)")
      sometimes("the last write fails", lastFailed.value)
      sometimes("the last write succeeds", !lastFailed.value)
      gate.open()
    }
  }

  @Test("O19: resume() repeats a failed write even in a cancelled task")
  func resumeCancelled() async throws {
    let (gate, storage) = (Gate(), Memory())
    let post = Post { _ in await gate.wait() }
    let outbox = try await Bench.outbox(of: post, storage)
    try await outbox.send(Item(id: 1))
    storage.content.withLock { $0.isFull = true }
    gate.open()
    await waitWhile(outbox.state.failure == nil)
    storage.content.withLock { $0.isFull = false }
    await Task {
      withUnsafeCurrentTask { $0?.cancel() }
      await outbox.resume()
    }.value
    #expect(storage.text == Bench.text() && outbox.state.failure == nil)
  }

  @Test(
    "O19, O9: an outbox refuses a saved state, and an archive refuses an outbox's items, and the bytes stay"
  )
  func wrongStorage() async throws {
    let state = Memory("AsyncKnot state 1\n[]")
    let refused = await #expect(throws: WrongStorage.self) {
      try await Bench.outbox(of: Post { _ in }, state)
    }
    #expect(
      "\(try #require(refused))"
        == "the storage of an outbox's items contains a state; give each its own storage"
    )
    #expect(state.text == "AsyncKnot state 1\n[]" && state.content.withLock { $0.aside } == nil)
    let items = Memory(Bench.text("1 a"))
    let archive = StateArchive<[Int]>(storage: items, encode: { _ in [] }, decode: { _ in [] })
    await #expect(throws: WrongStorage.self) { try await archive.load() }
    await #expect(throws: WrongStorage.self) {
      _ = try await Post { _ in }.restore(from: archive)
    }
    #expect(items.text == Bench.text("1 a") && items.content.withLock { $0.aside } == nil)
  }

  @Test("O5, O19: close() returns after the holder is released, even if its knot is kept")
  func knotIsKept() async {
    await exploreContract(seeds: 1_000) {
      let (knot, outbox): (Knot<[Int]>, Outbox<Item>)
      do {
        let worker = Onsite()
        knot = worker.knot
        outbox = try await Bench.outbox(of: worker, Memory()) { _ in await Task.yield() }
        for id in 1...3 { try await outbox.send(Item(id: id)) }
      }
      await untilIdle()
      await outbox.close()
      withExtendedLifetime(knot) {}
    }
  }

  #if os(macOS) || os(Linux)
    @Test("O19: a policy that can drop an item traps")
    func wrongPolicy() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let worker = Onsite()
        try await Bench.outbox(of: worker, Memory(), .concurrent).send(Item(id: 1))
        try await Bench.outbox(of: worker, Memory(), .latest("outbox")).send(Item(id: 2))
      }
      #if DEBUG
        #expect(
          result.says(
            "Outbox(of:): needs requests whose policy is .serial or .concurrent; got .latest, which can drop or replace"
          ))
      #endif
    }
  #endif

  #if DEBUG && (os(macOS) || os(Linux))
    @Test("O19: in a debug build, send traps if the item is decoded with another id")
    func idIsNotStored() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let worker = Onsite()
        let outbox = try await Outbox<Item>(
          of: worker, storage: Memory(), encode: Bench.encode,
          decode: { Item(id: try Bench.decode($0).id + 1) },
          request: { Onsite.Request(id: $0.id, policy: .concurrent, work: { _ in }) })
        try await outbox.send(Item(id: 1))
      }
      #expect(
        result.says(
          "got the item with the id 1, which was decoded with the id 2. Store the id in 'encode'"
        ))
    }

    @Test(
      "O19: send returns even if the holder is released or its bag is cancelled, and a debug build warns of the release"
    )
    func holderIsGone() async throws {
      // Run in a separate process, so that the test can read the warning that the outbox prints.
      let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        await explore(seeds: 200) {
          let isReleased = Bool.random()
          let holder = Shared<Post?>(Post { _ in })
          guard let bag = holder.value?.knot.bag else { return }
          let outbox = try await Bench.outbox(
            of: holder.value ?? Post { _ in }, Memory { _ in await Task.yield() })
          async let sent: Void = outbox.send(Item(id: 1))
          if isReleased { holder.value = nil } else { bag.cancel() }
          try await sent
        }
        let storage = Memory()
        var post: Post? = Post { _ in }
        weak let place = post
        let outbox = try await Bench.outbox(of: try #require(post), storage)
        post = nil
        await waitWhile(place != nil)
        for id in 1...2 { try await outbox.send(Item(id: id)) }
        for await state in outbox.states where state.isPaused && state.waiting.count == 2 { break }
        precondition(storage.text == Bench.text("1 ", "2 "))
      }
      let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
      #expect(
        text.ranges(of: "because its Post was released. Keep a reference to the Post.").count == 1)
    }
  #endif
}
