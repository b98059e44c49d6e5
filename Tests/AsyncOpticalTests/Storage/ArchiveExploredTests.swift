/// Explores archives whose storage suspends on every access.
@Suite struct ArchiveExploredTests {
  private struct NotANumber: Error {}

  /// Returns storage in which each access suspends, and a write checks for cancellation.
  private static func memory(_ text: String? = nil) -> Memory {
    Memory(text) { access in
      await Task.yield()
      if access == .write { try Task.checkCancellation() }
    }
  }

  /// Returns the text that is saved for a number.
  private static func text(_ number: Int) -> String { "AsyncKnot state 1\n\(number)" }

  private static func archive(_ memory: Memory) -> StateArchive<Int> {
    StateArchive(
      storage: memory, encode: { Array("\($0)".utf8) },
      decode: { bytes in
        guard let number = Int(String(decoding: bytes, as: UTF8.self)) else { throw NotANumber() }
        return number
      })
  }

  @Test("O9: a cancelled save does not cancel the other saves")
  func cancelledSave() async {
    await exploreContract(seeds: 4_000) {
      let memory = Self.memory()
      let archive = Self.archive(memory)
      let (order, saved) = (Log<Int>(), Log<Int>())
      let saves = (1...3).map { number in
        Task(executorPreference: Exploration.executor) {
          order.append(number)
          do {
            try await archive.save(number)
            saved.append(number)
          } catch is CancellationError where number == 3 {
          } catch {
            throw Violation(description: "uncancelled save \(number) failed: \(error)")
          }
        }
      }
      Task(executorPreference: Exploration.executor) {
        await Task.yield()
        saves[2].cancel()
      }
      for save in saves { try await save.value }
      let newest = order.all.last { saved.all.contains($0) }
      try hold(
        memory.text == newest.map(Self.text), "\(newest ?? 0) is lost: \(memory.text ?? "-")")
    }
  }

  @Test("O9: a load that finds damaged bytes does not set aside a state that was saved meanwhile")
  func savedWhileLoading() async {
    await exploreContract(seeds: 4_000) {
      let memory = Self.memory("rubbish")
      let archive = Self.archive(memory)
      async let outcome = archive.load()
      async let other = archive.load()
      try await archive.save(5)
      _ = try await (outcome, other)
      try hold(memory.text == Self.text(5), "the saved state is gone: \(memory.text ?? "-")")
    }
  }

  /// Storage in which each write waits for its own gate, and one write can be refused.
  private final class Slow: StateStorage {
    let accesses = Log<String>()
    let gates = (0..<6).map { _ in Gate() }
    let refused: Int?

    init(refusing refused: Int?) { self.refused = refused }

    func read() async throws -> [UInt8]? {
      accesses.append("read")
      return nil
    }
    func write(_ bytes: [UInt8]) async throws {
      let number = String(decoding: bytes, as: UTF8.self).split(separator: "\n").last ?? ""
      let gate = accesses.all.count { $0 != "read" }
      accesses.append("\(number)")
      await gates[gate].wait()
      if Int(number) == refused { throw NotANumber() }
    }
    func setAside() async throws -> String { "" }
  }

  @Test(
    "O9: while saves keep arriving, an older save and a load wait for at most one later write",
    arguments: [nil, 2])
  func steadySaves(refused: Int?) async {
    await exploreContract(seeds: 1_000, allowing: [.noChoice]) {
      let (storage, ended) = (Slow(refusing: refused), Log<String>())
      let archive = StateArchive<Int>(
        storage: storage, encode: { Array("\($0)".utf8) }, decode: { _ in 0 })
      try await withThrowingDiscardingTaskGroup { group in
        func save(_ number: Int) async {
          group.addTask {
            try? await archive.save(number)
            ended.append("\(number)")
          }
          await untilIdle()
        }
        await save(0)
        await save(1)
        group.addTask {
          _ = try? await archive.load()
          ended.append("read")
        }
        await untilIdle()
        await save(2)
        storage.gates[0].open()
        await untilIdle()
        await save(3)
        await save(4)
        // The gates end the write of 2 and, if 2 is refused, the write of 1. Meanwhile, 3 and 4 wait.
        for gate in storage.gates[1...(refused == nil ? 1 : 2)] { gate.open() }
        await untilIdle()
        let (accesses, before4) = (storage.accesses.all, Set(ended.all))
        for gate in storage.gates { gate.open() }
        let expected = refused == nil ? ["0", "2", "read", "4"] : ["0", "2", "1", "read", "4"]
        try hold(accesses == expected, "the accesses were \(accesses)")
        try hold(before4 == ["0", "1", "2", "read"], "\(before4) had ended before 4 was written")
      }
      try hold(ended.all.count == 6, "\(ended.all)")
    }
  }

  private actor Counter: Opticle {
    typealias Request = Never
    let knot = Knot(0)
    func dispatch(_ request: Never) async {}
    func mutate(_ state: inout Int, response: Int) { state = response }
    func recover(_ state: inout Int, request: Never, error: any Error) {}
  }

  @Test("O9: a follower saves the last state, even if a caller's save overlaps")
  func overlappingSave() async {
    await exploreContract(seeds: 2_000) {
      let (memory, saving) = (Self.memory(), TaskBag())
      let archive = Self.archive(memory)
      do {
        let counter = Counter()
        archive.follow(counter, in: saving) { _ in }
        await counter.commit(1)
        let save = Task {
          let old = counter.state
          await Task.yield()
          try await archive.save(old)
        }
        await counter.commit(2)
        await counter.commit(3)
        try await save.value
      }
      await saving.wait()
      try hold(memory.text == Self.text(3), "\(memory.text ?? "-") is stored")
    }
  }

  @Test("O9: a follower saves the last state, even if a caller's newer save is waiting too")
  func supersededFollower() async {
    await exploreContract(seeds: 300) {
      let (storage, saving) = (Slow(refusing: 1), TaskBag())
      let archive = StateArchive<Int>(
        storage: storage, encode: { Array("\($0)".utf8) }, decode: { _ in 0 })
      var counter: Counter? = Counter()
      if let counter { archive.follow(counter, in: saving) { _ in } }
      await untilIdle()
      // The refused save keeps the storage busy until the follower and the other save wait for their turn.
      let refused = Task { try? await archive.save(1) }
      await counter?.commit(3)
      counter = nil
      storage.gates[0].open()
      await untilIdle()
      let other = Task { try? await archive.save(2) }
      await untilIdle()
      for gate in storage.gates { gate.open() }
      await saving.wait()
      for task in [refused, other] { await task.value }
      let accesses = storage.accesses.all
      let isSuperseded = accesses.starts(with: ["read", "0", "1", "2"])
      sometimes("the follower's save waited beside a newer one", isSuperseded)
      try hold(!isSuperseded || accesses.last == "3", "\(accesses)")
    }
  }

  @Test("O9: a follower whose bag was cancelled does not overwrite a state that is saved later")
  func savedAfterFollowing() async {
    await exploreContract(seeds: 4_000) {
      let (memory, counter, saving) = (Self.memory(), Counter(), TaskBag())
      let archive = Self.archive(memory)
      archive.follow(counter, in: saving) { _ in }
      await counter.commit(1)
      await Task.yield()
      await counter.commit(2)
      await saving.cancelAndWait()
      await counter.commit(3)
      try await archive.save(counter.state)
      await untilIdle()
      try hold(memory.text == Self.text(3), "the last state is gone: \(memory.text ?? "-")")
    }
  }

  @Test("O9: a CancellationError of the storage is reported, unless following was cancelled")
  func ownCancellation() async {
    await exploreContract(seeds: 500, allowing: [.noChoice]) {
      let (errors, saving, isEnding) = (Log<String>(), TaskBag(), Shared(false))
      let memory = Memory { _ in
        await Task.yield()
        if !isEnding.value { throw CancellationError() }
        while !Task.isCancelled { await Task.yield() }
        throw CancellationError()
      }
      let counter = Counter()
      Self.archive(memory).follow(counter, in: saving) { errors.append("\($0)") }
      await untilIdle()
      try hold(errors.all == ["CancellationError()"], "\(errors.all)")
      isEnding.value = true
      await counter.commit(1)
      await Task.yield()
      await saving.cancelAndWait()
      try hold(errors.all.count == 1, "\(errors.all)")
    }
  }

  @Test("O9: a write that fails after following was cancelled is reported")
  func errorAfterCancellation() async {
    await exploreContract(seeds: 500, allowing: [.noChoice]) {
      let (errors, saving, hasBegun) = (Log<String>(), TaskBag(), Shared(false))
      let memory = Memory { access in
        guard access == .write else { return }
        hasBegun.value = true
        while !Task.isCancelled { await Task.yield() }
        throw Broken()
      }
      let (archive, counter) = (Self.archive(memory), Counter())
      _ = try await archive.load()
      archive.follow(counter, in: saving) { errors.append("\($0)") }
      while !hasBegun.value { await Task.yield() }
      await saving.cancelAndWait()
      try hold(errors.all == ["Broken()"], "\(errors.all)")
    }
  }

  @Test("O9: a restore overwrites nothing that was committed before it or while it read")
  func restored() async {
    await exploreContract {
      let counter = Counter()
      Task(executorPreference: Exploration.executor) { await counter.commit(9) }
      let outcome = try await counter.restore(from: Self.archive(Self.memory(Self.text(5))))
      if case .state = outcome { sometimes("restored") } else { sometimes("outdated") }
      await untilIdle()
      try hold(counter.state == 9, "\(outcome) has overwritten what was committed")
    }
  }
}
