import AsyncKnot

/// Followers of a storage that loses bytes, and reads that are cancelled.
@Suite struct FollowLossTests {
  private typealias Run = FollowRun

  /// Two ways to read the storage: a restore and a load.
  private static let ways: [@Sendable (StateArchive<[String]>) async throws -> Void] = [
    { _ = try await Run.Notes().restore(from: $0) }, { _ = try await $0.load() },
  ]

  /// Replaces or removes the stored bytes, as a broken disk or another program may do.
  private func damage(_ memory: Memory, leaving text: String?) {
    memory.content.withLock { $0.bytes = text.map { Array($0.utf8) } }
  }

  @Test("O9: a follower saves again when a load or a restore finds its bytes damaged or missing")
  func lost() async {
    await exploreContract(seeds: 300) {
      for (way, left) in [(0, "rubbish"), (0, nil), (1, "rubbish"), (1, nil)] {
        let memory = Run.memory(nil)
        let run = Run(memory)
        await run.follow()
        await run.commit("a")
        // The second loss is noticed like the first one.
        for _ in 0..<2 {
          damage(memory, leaving: left)
          try await Self.ways[way](run.archive)
          await untilIdle()
          try Run.holdStored(memory, "a")
        }
        run.saving.cancel()
        try hold(run.errors.all.isEmpty, "\(run.errors.all)")
      }
    }
  }

  @Test("O9: if damaged bytes cannot be set aside, a follower that has saved reports this once")
  func lostAndKept() async {
    await exploreContract(seeds: 300) {
      let isFull = Shared(true)
      let memory = Run.memory(nil) { if $0 == .setAside, isFull.value { throw Broken() } }
      let run = Run(memory)
      await run.follow()
      await run.commit("a")
      for round in 1...2 {
        isFull.value = true
        damage(memory, leaving: "rubbish")
        for _ in 0..<2 {
          guard case .damaged(_, nil) = try await run.archive.load() else { throw Broken() }
          await untilIdle()
        }
        try hold(memory.text == "rubbish", "\(memory.text ?? "-")")
        // Each round damages the bytes again, so each round adds one report.
        let reports = Array(repeating: "NotReplaced", count: round)
        try hold(run.errors.all == reports, "\(run.errors.all)")
        isFull.value = false
        guard case .damaged(_, "aside") = try await run.archive.load() else { throw Broken() }
        await untilIdle()
        try Run.holdStored(memory, "a")
      }
      run.saving.cancel()
    }
  }

  @Test("O9: after any loss of bytes in the storage, a load makes a follower save the newest state")
  func losses() async {
    await exploreContract(seeds: 6_000) {
      let memory = Run.memory(nil) {
        if $0 == .setAside, fault("full folder") { throw Broken() }
      }
      let (run, other) = (Run(memory), TaskBag())
      await run.follow()
      await withDiscardingTaskGroup { group in
        group.addTask {
          for note in ["a", "b"] {
            await run.notes.commit(note)
            await Task.yield()
          }
        }
        group.addTask {
          for _ in 0..<2 {
            damage(memory, leaving: choose("left", from: ["rubbish", nil]))
            _ = try? await run.archive.load()
          }
        }
        group.addTask { _ = try? await Run.Notes().restore(from: run.archive) }
        group.addTask {
          run.archive.follow(run.notes, in: other) { _ in }
          await Task.yield()
          await other.cancelAndWait()
        }
      }
      try await calm {
        await untilIdle()
        sometimes("the newest state is not stored", memory.text != Run.text("a,b"))
        _ = try await run.archive.load()
        await untilIdle()
        try Run.holdStored(memory, "a,b")
        run.saving.cancel()
      }
    }
  }

  @Test(
    "O9: a follower reports unread bytes only once, even if an outdated restore overtakes its retry"
  )
  func reportedOnce() async {
    await exploreContract(seeds: 2_000) {
      let memory = Run.memory("old")
      let run = Run(memory)
      await run.notes.commit("a")
      await run.follow()
      for _ in 0..<3 {
        _ = try await run.archive.load()
        _ = try await run.notes.restore(from: run.archive)
      }
      await untilIdle()
      sometimes("the bytes stay", memory.text == Run.text("old"))
      try hold(run.errors.all == ["NotReplaced"], "\(run.errors.all)")
      _ = try await run.archive.load()
      await untilIdle()
      try Run.holdStored(memory, "a")
      run.saving.cancel()
    }
  }

  @Test(
    "O9: if a load or a restore is cancelled while the storage reads, it throws and changes nothing"
  )
  func cancelledRead() async {
    await exploreContract(seeds: 300) {
      for (way, stored) in [(0, "old"), (0, "old?"), (0, nil), (1, "old"), (1, "old?"), (1, nil)] {
        let gate = Gate()
        let memory = Run.memory(stored) { if $0 == .read { await gate.wait() } }
        let run = Run(memory)
        await run.notes.commit("a")
        let reading = Task { try await Self.ways[way](run.archive) }
        await gate.hasArrived(1)
        reading.cancel()
        gate.open()
        guard case .failure(is CancellationError) = await reading.result else {
          throw Violation(description: "\(stored ?? "-"): the call has not thrown")
        }
        // The archive has read nothing, so a follower replaces nothing.
        damage(memory, leaving: stored.map(Run.text) ?? "other")
        let before = memory.text
        await run.follow()
        try hold(memory.text == before, "“\(before ?? "-")” is replaced")
        try hold(memory.content.withLock { $0.aside == nil }, "the bytes were set aside")
        try hold(run.errors.all == ["NotReplaced"], "\(run.errors.all)")
        run.saving.cancel()
      }
    }
  }

  @Test(
    "O9: if a load is cancelled before damaged bytes are set aside, it throws and changes nothing")
  func cancelledSetAside() async {
    await exploreContract(seeds: 300, allowing: [.noChoice]) {
      let gate = Gate()
      let memory = Run.memory("old?") { access in
        guard access == .setAside else { return }
        await gate.wait()
        try Task.checkCancellation()
      }
      let run = Run(memory)
      let reading = Task { try await run.archive.load() }
      await gate.hasArrived(1)
      reading.cancel()
      gate.open()
      guard case .failure(is CancellationError) = await reading.result else {
        throw Violation(description: "the load ended with \(await reading.result)")
      }
      try Run.holdStored(memory, "old?")
      guard case .damaged(_, "aside") = try await run.archive.load() else { throw Broken() }
    }
  }

  @Test("O9: a follower that is cancelled during a read neither writes nor reports")
  func cancelledFollower() async {
    await exploreContract(seeds: 300) {
      for stored in ["old", nil] {
        let gate = Gate()
        let memory = Run.memory(stored) { if $0 == .read { await gate.wait() } }
        let run = Run(memory)
        await run.follow()
        run.saving.cancel()
        gate.open()
        await untilIdle()
        try Run.holdStored(memory, stored)
        try hold(run.errors.all.isEmpty, "\(run.errors.all)")
      }
    }
  }
}
