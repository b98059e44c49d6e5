import AsyncKnot
import AsyncKnotTesting
import ExploreTesting
import TestSupport
import Testing

@testable import AsyncOptical

/// If the storage fails at a bad moment, nothing is lost, and the state reports what has happened.
@Suite struct OutboxFaultTests {
  private typealias Bench = OutboxBench

  @Test(
    "O19: damaged bytes that cannot be set aside are not overwritten, and the outbox tries again")
  func damagedInPlace() async throws {
    let isFull = Shared(true)
    let storage = Memory("rubbish") { if $0 == .setAside, isFull.value { throw Broken() } }
    let worker = Onsite()
    let outbox = try await Bench.outbox(of: worker, storage)
    #expect(outbox.state.damage != nil && outbox.state.damage?.keptAt == nil)
    await #expect(throws: Broken.self) { try await outbox.send(.init(id: 1)) }
    #expect(storage.text == "rubbish", "the bytes of the earlier run are kept")
    #expect(outbox.state.failure is Broken && outbox.state.waiting.isEmpty)
    isFull.value = false
    try await outbox.send(.init(id: 1))
    #expect(storage.content.withLock { $0.aside } == Array("rubbish".utf8))
    #expect(outbox.state.damage?.keptAt == "aside" && outbox.state.failure == nil)
    await waitWhile(worker.state != [1])
    await waitWhile(!outbox.state.waiting.isEmpty)
    try await outbox.send(.init(id: 2))
    #expect(storage.content.withLock { $0.aside } == Array("rubbish".utf8), "set aside once")
  }

  @Test("O19: resume() writes only if the last write failed")
  func resumeWrites() async throws {
    let (storage, worker) = (Memory(), Onsite())
    let outbox = try await Bench.outbox(of: worker, storage)
    try await outbox.send(.init(id: 1))
    await waitWhile(!outbox.state.waiting.isEmpty)
    storage.content.withLock { $0.isFull = true }
    await #expect(throws: Broken.self) { try await outbox.send(.init(id: 2)) }
    storage.content.withLock { ($0.isFull, $0.bytes) = (false, []) }
    await outbox.resume()
    #expect(storage.text == Bench.text() && outbox.state.failure == nil)
    let writes = storage.content.withLock { $0.writes }
    await outbox.resume()
    #expect(storage.content.withLock { $0.writes } == writes)
    #expect(worker.state == [1])
  }

  @Test("O19: bytes that the storage sets aside before it throws are not set aside again")
  func setAsideThrowsLate() async throws {
    let storage = Memory("rubbish")
    let late = LateStorage(memory: storage)
    let outbox = try await Outbox<Bench.Item>(
      of: Onsite(), storage: late, encode: Bench.encode, decode: Bench.decode,
      request: { Onsite.Request(id: $0.id, policy: .serial(1)) { _ in } })
    try await outbox.send(.init(id: 1))
    #expect(storage.content.withLock { $0.aside } == Array("rubbish".utf8))
    #expect(outbox.state.damage != nil)
  }

  private struct LateStorage: StateStorage {
    let memory: Memory
    func read() async throws -> [UInt8]? { try await memory.read() }
    func write(_ bytes: [UInt8]) async throws { try await memory.write(bytes) }
    func setAside() async throws -> String {
      _ = try await memory.setAside()
      throw Broken()
    }
  }

  @Test("O19: an item that a failing write has stored is removed by the next write that succeeds")
  func failsLate() async throws {
    let (storage, worker) = (Memory(), Onsite())
    let outbox = try await Bench.outbox(of: worker, storage)
    storage.content.withLock { $0.failsLate = true }
    await #expect(throws: Broken.self) { try await outbox.send(.init(id: 1)) }
    #expect(storage.text == Bench.text(), "the write that removes the item reaches the storage")
    #expect(outbox.state.waiting.isEmpty && worker.started.all.isEmpty)
  }

  @Test("O19: an item whose write and removal both fail is sent by the next run, with the same id")
  func failsTwice() async throws {
    let (storage, writes) = (Memory(), Shared(0))
    let broken = Memory { access in
      guard access == .write else { return }
      writes.value += 1
      // The first write reaches the disk, but the second one does not.
      if writes.value == 1 { try await storage.write(Array(Bench.text("1 a").utf8)) }
      throw Broken()
    }
    let worker = Onsite()
    let first = try await Bench.outbox(of: worker, broken)
    await #expect(throws: Broken.self) { try await first.send(.init(id: 1, text: "a")) }
    #expect(writes.value == 2 && first.state.failure is Broken, "the failure is shown")
    let gate = Gate()
    let second = try await Bench.outbox(of: worker, storage) { _ in await gate.wait() }
    #expect(second.state.waiting == [.init(id: 1, text: "a")], "shown before it is sent")
    await #expect(throws: Outbox<Bench.Item>.DuplicateItem.self) {
      try await second.send(.init(id: 1, text: "a"))
    }
    gate.open()
    await waitWhile(worker.state != [1])
  }

  @Test("O19: resume() repeats a removal that the storage failed to make")
  func removalFails() async throws {
    let (storage, gate, worker) = (Memory(), Gate(), Onsite())
    let outbox = try await Bench.outbox(of: worker, storage) { _ in await gate.wait() }
    try await outbox.send(.init(id: 1))
    storage.content.withLock { $0.isFull = true }
    gate.open()
    await waitWhile(outbox.state.failure == nil)
    #expect(outbox.state.waiting.isEmpty && storage.text == Bench.text("1 "))
    storage.content.withLock { $0.isFull = false }
    await outbox.resume()
    #expect(outbox.state.failure == nil && storage.text == Bench.text())
    #expect(worker.state == [1])
  }

  @Test("O19: the storage's own CancellationError is reported like any other failure")
  func storageCancels() async throws {
    let (isBroken, gate, worker) = (Shared(false), Gate(), Onsite())
    let storage = Memory { if $0 == .write, isBroken.value { throw CancellationError() } }
    let outbox = try await Bench.outbox(of: worker, storage) { _ in await gate.wait() }
    try await outbox.send(.init(id: 1))
    isBroken.value = true
    gate.open()
    for await state in outbox.states where state.waiting.isEmpty { break }
    await waitWhile(outbox.state.failure == nil)
    #expect(outbox.state.failure is CancellationError && worker.state == [1])
  }

  @Test(
    "O19: unreadable bytes stay stored if discardUnreadable() throws after the storage has written")
  func discardWritesAndThrows() async throws {
    let storage = Memory(Bench.text("bad"))
    let worker = Onsite()
    let outbox = try await Bench.outbox(of: worker, storage)
    storage.content.withLock { $0.failsLate = true }
    let discarded = try? await outbox.discardUnreadable()
    #expect(discarded == nil && outbox.state.unreadable.count == 1)
    #expect(storage.text == Bench.text("bad"))
  }

  @Test("O19: a cancelled discardUnreadable() writes nothing, and keeps the bytes")
  func cancelledDiscard() async throws {
    let storage = Memory(Bench.text("bad"))
    let worker = Onsite()
    let outbox = try await Bench.outbox(of: worker, storage)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await outbox.discardUnreadable()
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(outbox.state.unreadable.count == 1 && storage.text == Bench.text("bad"))
  }

  @Test(
    "O19: discardUnreadable() removes the bytes unless it throws, even during concurrent sends",
    arguments: [true, false])
  func discardBesideSends(fails: Bool) async {
    await exploreContract(seeds: 1_000) {
      let isBroken = Shared(fails)
      let storage = Memory(Bench.text("bad")) { access in
        guard access == .write else { return }
        await Task.yield()
        let breaks = isBroken.mutex.withLock { isBroken in
          defer { isBroken = false }
          return isBroken
        }
        if breaks { throw Broken() }
      }
      let (worker, gate) = (Onsite(), Gate())
      let outbox = try await Bench.outbox(of: worker, storage) { _ in await gate.wait() }
      async let discarding = (try? await outbox.discardUnreadable()) != nil
      // The second of two waiting saves may replace the first.
      async let first = (try? await outbox.send(.init(id: 1))) != nil
      async let second = (try? await outbox.send(.init(id: 2))) != nil
      let (isDiscarded, areSent) = await (discarding, [first, second])
      let text = storage.text ?? "-"
      try hold(text.contains("bad") != isDiscarded, "discarded: \(isDiscarded), stored: \(text)")
      try hold(outbox.state.unreadable.isEmpty == isDiscarded, "\(outbox.state)")
      let areStored = [text.contains("\n1 "), text.contains("\n2 ")]
      try hold(areStored == areSent, "sent: \(areSent), stored: \(text)")
      try hold(fails || areSent == [true, true] && isDiscarded, "a call threw without a reason")
      if fails { sometimes("the discard throws", !isDiscarded) }
      if fails { sometimes("a send throws", areSent.contains(false)) }
      gate.open()
    }
  }

  #if os(Linux) || os(macOS)
    @Test("O19: creating an outbox traps with a message if the holder's mailbox is bounded")
    func boundedMailbox() async {
      let result = await #expect(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) {
        _ = try await OutboxBench.outbox(of: Onsite(.newest(2)), Memory())
      }
      #expect(result.says("Outbox(of:): needs a holder that keeps every message"))
    }
  #endif
}
