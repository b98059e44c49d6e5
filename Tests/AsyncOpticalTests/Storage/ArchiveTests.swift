import AsyncKnot
import AsyncKnotTesting
import AsyncOptical
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite struct ArchiveTests {
  private actor Notes: Opticle {
    struct State: Sendable, Codable, Equatable {
      var notes: [String] = []
      var pinned: String?
    }
    enum Request: Sendable { case run(@Sendable () async -> Void) }
    let knot = Knot(State())
    func dispatch(_ request: Request) async { if case .run(let work) = request { await work() } }
    func mutate(_ state: inout State, response: String) { state.notes.append(response) }
    func recover(_ state: inout State, request: Request, error: any Error) {}
  }

  private static func archive(
    _ storage: any StateStorage, version: Int = 2,
    encode: @escaping @Sendable (Notes.State) throws -> [UInt8] = {
      Array(try JSONEncoder().encode($0))
    }
  ) -> StateArchive<Notes.State> {
    StateArchive(
      storage: storage, version: version, encode: encode,
      decode: { try JSONDecoder().decode(Notes.State.self, from: Data($0)) },
      migrate: { bytes, version in
        guard version == 1 else {
          throw StateArchive<Notes.State>.UnknownVersion(version: version)
        }
        return Notes.State(notes: try JSONDecoder().decode([String].self, from: Data(bytes)))
      })
  }

  @Test(
    "A state is restored, migrated or missing, depending on the bytes",
    arguments: [
      (nil, "nothing", []), ("2\n{\"notes\":[\"a\",\"ü\\n\"]}", "state", ["a", "ü\n"]),
      ("1\n[\"old\"]", "from version 1", ["old"]),
    ] as [(String?, String, [String])])
  func restores(text: String?, found: String, restored: [String]) async throws {
    let memory = Memory(text.map { "AsyncKnot state \($0)" })
    let notes = Notes()
    let outcome =
      switch try await notes.restore(from: Self.archive(memory)) {
      case .nothing: "nothing"
      case .state(notes.state, migratedFrom: let version):
        version.map { "from version \($0)" } ?? "state"
      case .state, .outdated, .damaged: "another outcome"
      }
    #expect(outcome == found)
    #expect(notes.state == .init(notes: restored))
  }

  @Test(
    "Unreadable bytes are reported and set aside",
    arguments: [
      "", "AsyncKnot", "AsyncKnot state 2", "AsyncKnot state 2\n", "AsyncKnot state x\n{}",
      "AsyncKnot state 2\n{\"notes\":[\"a\"", "AsyncKnot state 1\n{}", "AsyncKnot state 0\n[]",
      "AsyncKnot state 3\n{}", "\u{0}\u{1}",
    ])
  func damaged(text: String) async throws {
    let memory = Memory(text)
    let notes = Notes()
    guard case .damaged(let reason, "aside") = try await notes.restore(from: Self.archive(memory))
    else { throw Broken() }
    #expect(!"\(reason)".isEmpty)
    #expect(memory.content.withLock { $0.aside } == Array(text.utf8))
    #expect(memory.content.withLock { $0.bytes } == nil)
    #expect(notes.state == .init())
  }

  @Test(
    "O9: follow saves the newest state, continues after an error, and ends after the last save")
  func follows() async throws {
    await exploreContract(seeds: 300) {
      let memory = Memory()
      let errors = Log<String>()
      let bag = TaskBag()
      do {
        let notes = Notes()
        let archive = Self.archive(memory)
        archive.follow(notes, in: bag) { errors.append("\($0)") }
        await untilIdle()
        memory.content.withLock { $0.isFull = true }
        await notes.commit("lost")
        await untilIdle()
        memory.content.withLock { $0.isFull = false }
        for step in 0..<20 { await notes.commit("\(step)") }
      }
      await bag.wait()
      try hold(errors.all == ["Broken()"], "\(errors.all)")
      guard case .state(let state, nil) = try await Self.archive(memory).load() else {
        throw Broken()
      }
      try hold(state.notes.count == 21, "saved \(state.notes)")
      try hold(memory.content.withLock { $0.writes } <= 22, "the state was written too often")
    }
  }

  @Test("An archive without a migration sets aside the bytes of an older version")
  func unknownVersion() async throws {
    let memory = Memory("AsyncKnot state 1\n[]")
    let archive = StateArchive<[Int]>(
      storage: memory, version: 2, encode: { _ in [] }, decode: { _ in [] })
    guard case .damaged(let reason, "aside") = try await archive.load() else { throw Broken() }
    #expect((reason as? StateArchive<[Int]>.UnknownVersion)?.version == 1)
  }

  @Test("A write that fails leaves the last state in the storage")
  func failedWrite() async throws {
    let memory = Memory()
    let archive = Self.archive(memory)
    try await archive.save(.init(notes: ["a"]))
    memory.content.withLock { $0.isFull = true }
    await #expect(throws: Broken.self) { try await archive.save(.init(notes: ["b"])) }
    guard case .state(let state, nil) = try await archive.load() else { throw Broken() }
    #expect(state.notes == ["a"])
  }

  /// Storage whose reads and writes wait for a gate.
  private struct Slow {
    let reading = Gate()
    let writing = Gate()
    let memory: Memory

    init(_ text: String?, isBroken: Bool = false) {
      memory = Memory(text) { [reading, writing] access in
        if access == .write { return await writing.wait() }
        await reading.wait()
        try Task.checkCancellation()
        if isBroken { throw Broken() }
      }
    }
  }

  private static let saved = "AsyncKnot state 2\n{\"notes\":[\"old\"]}"

  @Test("O9: a cancelled or failed read throws, and leaves the saved bytes in place")
  func readFails() async throws {
    for isBroken in [false, true] {
      let slow = Slow(Self.saved, isBroken: isBroken)
      let notes = Notes()
      let task = Task { try await notes.restore(from: Self.archive(slow.memory)) }
      if !isBroken { task.cancel() }
      slow.reading.open()
      let result = await task.result
      #expect(throws: (any Error).self) { try result.get() }
      #expect(slow.memory.content.withLock { $0.aside } == nil)
      #expect(slow.memory.text == Self.saved)
      #expect(notes.state == .init())
    }
  }

  @Test("O9: if the task is cancelled while the bytes are decoded, the bytes are not set aside")
  func cancelledDecoding() async {
    let memory = Memory("AsyncKnot state 1\n1")
    let archive = StateArchive<[Int]>(storage: memory, encode: { _ in [] }) { _ in
      withUnsafeCurrentTask { $0?.cancel() }
      try Task.checkCancellation()
      return []
    }
    let task = Task { _ = try await archive.load() }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(memory.content.withLock { $0.aside } == nil)
    #expect(memory.text == "AsyncKnot state 1\n1")
  }

  @Test("O9: a save or load that is cancelled while it waits does not access the storage")
  func cancelledWaiting() async {
    await exploreContract(seeds: 200) {
      let (gate, accesses) = (Gate(), Log<Memory.Access>())
      let memory = Memory(Self.saved) { access in
        accesses.append(access)
        if accesses.all.count == 1 { await gate.wait() }
      }
      let archive = Self.archive(memory)
      async let first: Void = archive.save(.init(notes: ["a"]))
      await gate.hasArrived(1)
      let save = Task { try await archive.save(.init(notes: ["b"])) }
      let load = Task { _ = try await archive.load() }
      await untilIdle()
      save.cancel()
      load.cancel()
      gate.open()
      try await first
      for result in [await save.result, await load.result] {
        let isCancelled = if case .failure(is CancellationError) = result { true } else { false }
        try hold(isCancelled, "a cancelled access ended with \(result)")
      }
      try hold(accesses.all == [.write], "\(accesses.all)")
    }
  }

  @Test("O12: a restore that is cancelled while it reads throws, and restores nothing")
  func cancelledRestore() async {
    let (gate, notes) = (Gate(), Notes())
    let memory = Memory(Self.saved) { _ in await gate.wait() }
    let task = Task { try await notes.restore(from: Self.archive(memory)) }
    await gate.hasArrived(1)
    task.cancel()
    gate.open()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(notes.state == .init())
  }

  private actor Shopping: Opticle {
    let knot = Knot<[String]>([])
    let gate = Gate()
    func dispatch(_ request: String) async {
      await commit(from: request, expecting: request) { [gate] in await gate.wait() }
    }
    func mutate(_ state: inout [String], response: String) {
      if !state.contains(response) { state.append(response) }
    }
    func recover(_ state: inout [String], request: String, error: any Error) {}
  }

  @Test("O12: a pending change during a restore does not make the restore outdated")
  func restoredWhileShown() async throws {
    let (reading, shopping) = (Gate(), Shopping())
    let memory = Memory("AsyncKnot state 1\nold") { if $0 == .read { await reading.wait() } }
    let archive = StateArchive<[String]>(
      storage: memory, encode: { Array($0.joined(separator: ",").utf8) },
      decode: { String(decoding: $0, as: UTF8.self).split(separator: ",").map(String.init) })
    let restore = Task { try await shopping.restore(from: archive) }
    await reading.hasArrived(1)
    shopping.send("new")
    await shopping.gate.hasArrived(1)
    reading.open()
    guard case .state(["old"], nil) = try await restore.value else { throw Broken() }
    #expect(shopping.state == ["old", "new"])
    shopping.gate.open()
  }

  @Test(
    "O9, O12: if cancel(id) stops a restore, the restore reports that it restored nothing, and the bytes stay"
  )
  func restoredDespiteCancel() async {
    await exploreContract(seeds: 4_000) {
      let (editor, storage, bag) = (Onsite(), Memory("AsyncKnot state 1\n7"), TaskBag())
      let archive = StateArchive<[Int]>(
        storage: storage, encode: { Array($0.map { "\($0)" }.joined(separator: ",").utf8) },
        decode: { String(decoding: $0, as: UTF8.self).split(separator: ",").map { Int($0) ?? 0 } })
      let found = Log<[Int]>()
      editor.send(1, .serial("x")) { editor in
        if case .state? = try? await editor.restore(from: archive) { found.append(editor.state) }
      }
      let cancellation = Task { editor.cancel("x") }
      await cancellation.value
      await untilIdle()
      try hold(found.all.allSatisfy { $0 == [7] }, "restored \(found.all)")
      archive.follow(editor, in: bag) { _ in }
      await untilIdle()
      await bag.cancelAndWait()
      try hold(storage.text?.hasPrefix("AsyncKnot state 1\n7") == true, storage.text ?? "-")
    }
  }

  @Test("O9, O12: a request that ends without a response does not make a later restore outdated")
  func restoredAfterNothing() async throws {
    for error in [CancellationError() as any Error, Broken()] {
      let worker = Worker()
      await worker.perform(Worker.Request(id: 1) { throw error })
      let archive = StateArchive<Worker.State>(
        storage: Memory("AsyncKnot state 1\n"), encode: { _ in [] },
        decode: { _ in Worker.State(done: [7]) })
      guard case .state = try await worker.restore(from: archive) else { throw Broken() }
      #expect(worker.state.done == [7])
    }
  }

  @Test("O12: a restore in a superseded dispatch reports that it restored nothing")
  func superseded() async throws {
    let slow = Slow(Self.saved)
    let notes = Notes()
    let said = Log<Bool>()
    notes.send(
      .run {
        Task {
          if case .outdated = try await notes.restore(from: Self.archive(slow.memory)) {
            said.append(true)
          }
        }
        try? await Task.sleep(for: .seconds(1_000))
      })
    await slow.reading.hasArrived(1)
    notes.knot.bag.cancel()
    slow.reading.open()
    await waitWhile(said.all.isEmpty)
    #expect(notes.state == .init())
  }

  @Test(
    "O9: overlapping saves leave the newest state, even if encoding or writing is slow",
    arguments: [true, false])
  func overlapping(isSlowlyEncoded: Bool) async throws {
    await exploreContract(seeds: 1_500) {
      let slow = Slow(nil)
      let archive = Self.archive(slow.memory) { state in
        if isSlowlyEncoded { Spawn.preemptionPoint() }
        return Array(try JSONEncoder().encode(state))
      }
      if isSlowlyEncoded { slow.writing.open() }
      let order = Log<Int>()
      await withDiscardingTaskGroup { group in
        for id in 0..<3 {
          group.addTask {
            await Task.yield()
            order.append(id)
            try? await archive.save(.init(notes: ["\(id)"]))
          }
        }
        group.addTask {
          await Task.yield()
          slow.writing.open()
        }
      }
      slow.reading.open()
      guard case .state(let state, nil) = try await archive.load() else { throw Broken() }
      try hold(state.notes == ["\(order.all.last ?? -1)"], "\(order.all) left \(state.notes)")
    }
  }
}
