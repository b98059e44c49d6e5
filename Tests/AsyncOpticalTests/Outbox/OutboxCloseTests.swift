import AsyncKnot
import ExploreTesting
import TestSupport
import Testing

@testable import AsyncOptical

/// Tests what an outbox does after its owner has closed or released it, and mistakes that it refuses.
@Suite struct OutboxCloseTests {
  private typealias Bench = OutboxBench
  private typealias Item = OutboxBench.Item
  private typealias Post = OutboxBench.Post

  @Test("O19: an outbox that nobody keeps removes the items that its holder carries out")
  func released() async {
    await exploreContract(seeds: 500) {
      let (post, storage) = (Post { _ in await Task.yield() }, Memory())
      do {
        let outbox = try await Bench.outbox(of: post, storage)
        try await outbox.send(Item(id: 1))
      }
      await untilIdle()
      try hold(
        post.state == [1] && storage.text == Bench.text(), "\(post.state), \(storage.text ?? "-")")
    }
  }

  @Test("O19: after the holder has ended the messages of a released outbox, the outbox is released")
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
    "O19: close() returns when no write can follow, and a new outbox sends the items that are not done"
  )
  func close() async {
    await exploreContract(seeds: 1_000) {
      let storage = Memory { _ in await Task.yield() }
      let post = Post { _ in await Task.yield() }
      let outbox = try await Bench.outbox(of: post, storage)
      async let isSent: Bool? = try? await {
        try await outbox.send(Item(id: 2)); return true
      }()
      try await outbox.send(Item(id: 1))
      post.cancel("outbox")
      await outbox.close()
      // A `send` that begins after `close` is refused.
      let ids = await isSent == true ? [1, 2] : [1]
      let (text, done) = (storage.text, post.state)
      let waiting = outbox.state.waiting.map(\.id)
      try hold((done + waiting).sorted() == ids, "\(done) is shown, \(waiting) waits")
      try hold(outbox.state.isPaused == !waiting.isEmpty, "\(outbox.state)")
      await untilIdle()
      try hold(storage.text == text && post.state == done, "\(storage.text ?? "-"), \(post.state)")
      let later = Post { _ in }
      let next = try await Bench.outbox(of: later, storage)
      await untilIdle()
      try hold((done + later.state).sorted() == ids, "\(done), then \(later.state)")
      try hold(storage.text == Bench.text(), "\(storage.text ?? "-")")
      sometimes("an item waits", !waiting.isEmpty)
      sometimes("an item is done", done.count > 0)
      withExtendedLifetime(next) {}
    }
  }

  @Test("O19: close() waits for a request in flight, and does not start the items behind it")
  func closeWaits() async {
    await exploreContract(seeds: 500, allowing: [.noChoice]) {
      let (gate, storage, closed) = (Gate(), Memory(), Log<String>())
      let post = Post { _ in await gate.wait() }
      let outbox = try await Bench.outbox(of: post, storage)
      for id in 1...3 { try await outbox.send(Item(id: id)) }
      await gate.hasArrived(1)
      async let first: Void = outbox.close()
      async let second: Void = outbox.close()
      await untilIdle()
      try hold(post.state == [1], "\(post.state) while the request is in flight")
      closed.append("open")
      gate.open()
      _ = await (first, second)
      closed.append("closed")
      try hold(post.state == [1], "\(post.state)")
      try hold(storage.text == Bench.text("2 ", "3 "), "\(storage.text ?? "-")")
      await outbox.close()
      await outbox.resume()
      await untilIdle()
      try hold(post.state == [1] && outbox.state.isPaused, "\(post.state), \(outbox.state)")
      try hold(closed.all == ["open", "closed"], "\(closed.all)")
    }
  }

  @Test("O19: a closed outbox refuses items, and discards none")
  func closed() async throws {
    let (gate, storage) = (Gate(), Memory(Bench.text("1 a", "new-format")))
    let post = Post { _ in await gate.wait() }
    let outbox = try await Bench.outbox(of: post, storage)
    post.cancel("outbox")
    await outbox.close()
    typealias Closed = Outbox<Item>.Closed
    await #expect(throws: Closed.self) { try await outbox.send(Item(id: 2)) }
    await #expect(throws: Closed.self) { try await outbox.discard(1) }
    await #expect(throws: Closed.self) { try await outbox.discardUnreadable() }
    #expect(storage.text == Bench.text("1 a", "new-format"))
    #expect(Closed().description == "the outbox is closed; create another one for its storage")
    gate.open()
  }

  @Test(
    "O19: after the item that stopped an id is discarded, an item that is sent meanwhile is not held back"
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
      let (gate, count, lastFailed) = (Gate(), Shared(0), Shared(false))
      let post = Post { _ in await gate.wait() }
      let storage = Memory {
        guard $0 == .write else { return }
        await Task.yield()
        count.value += 1
        lastFailed.value = count.value == 2
        if lastFailed.value { throw Broken() }
      }
      let outbox = try await Bench.outbox(of: post, storage)
      await withDiscardingTaskGroup { group in
        for id in 1...3 { group.addTask { try? await outbox.send(Item(id: id)) } }
      }
      await untilIdle()
      try hold((outbox.state.failure != nil) == lastFailed.value, "\(outbox.state)")
      sometimes("a write fails", count.value > 1)
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
    "O19, O9: an outbox does not read a saved state, an archive does not read an outbox, and both stay"
  )
  func otherContent() async throws {
    let state = Memory("AsyncKnot state 1\n[]")
    let refused = await #expect(throws: StateArchive<[[UInt8]]>.OtherContent.self) {
      try await Bench.outbox(of: Post { _ in }, state)
    }
    #expect(
      "\(try #require(refused))"
        == "the storage of a state contains the items of an outbox, or the reverse; give each its own storage"
    )
    #expect(state.text == "AsyncKnot state 1\n[]" && state.content.withLock { $0.aside } == nil)
    let items = Memory(Bench.text("1 a"))
    let archive = StateArchive<[Int]>(storage: items, encode: { _ in [] }, decode: { _ in [] })
    await #expect(throws: StateArchive<[Int]>.OtherContent.self) { try await archive.load() }
    await #expect(throws: StateArchive<[Int]>.OtherContent.self) {
      try await Post { _ in }.restore(from: archive)
    }
    #expect(items.text == Bench.text("1 a") && items.content.withLock { $0.aside } == nil)
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
    @Test("O19: an item whose id is not stored traps in a debug build")
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
        result.says("Outbox.send(_:): needs an item whose id is encoded; got 1, and decoded 2"))
    }

    @Test(
      "O19: send returns after the holder is released or its bag is cancelled; a debug build says so"
    )
    func holderIsGone() async throws {
      // In a process of its own, because it prints the warning.
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
        let outbox = try await Bench.outbox(of: Post { _ in }, storage)
        for id in 1...2 { try await outbox.send(Item(id: id)) }
        for await state in outbox.states where state.isPaused && state.waiting.count == 2 { break }
        precondition(storage.text == Bench.text("1 ", "2 "))
      }
      let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
      #expect(text.ranges(of: "because its Post was released. Keep the Post.").count == 1)
    }
  #endif
}
