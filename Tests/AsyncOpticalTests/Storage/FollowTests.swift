@testable import AsyncOptical
import AsyncKnot

/// How a follower handles bytes of an earlier run.
@Suite struct FollowTests {
  private typealias Run = FollowRun

  @Test("O9: a follower keeps bytes of an earlier run that were not read, and reports this once")
  func unread() async {
    await exploreContract(seeds: 200) {
      let memory = Run.memory("old")
      let run = Run(memory)
      await run.follow()
      for note in ["a", "b"] { await run.commit(note) }
      try Run.holdStored(memory, "old")
      try hold(run.errors.all == ["NotReplaced"], "\(run.errors.all)")
      guard case .outdated(["old"]) = try await run.restore() else { throw Broken() }
      await run.commit("c")
      try Run.holdStored(memory, "old")
      try hold(run.errors.all == ["NotReplaced"], "\(run.errors.all)")
      try await run.archive.save(["old"] + run.notes.state)
      await untilIdle()
      try Run.holdStored(memory, "a,b,c")
      await run.commit("d")
      try Run.holdStored(memory, "a,b,c,d")
      run.saving.cancel()
    }
  }

  @Test("O9: a follower may replace bytes that a copy of the archive has restored, loaded or saved")
  func copies() async {
    await exploreContract(seeds: 200) {
      let ways: [@Sendable (StateArchive<[String]>) async throws -> Void] = [
        { _ = try await Run.Notes().restore(from: $0) }, { _ = try await $0.load() },
        { try await $0.save(["other"]) },
      ]
      for way in ways {
        let memory = Run.memory("old")
        let run = Run(memory)
        await run.commit("a")
        await run.follow()
        try Run.holdStored(memory, "old")
        let copy = run.archive
        try await way(copy)
        await untilIdle()
        try Run.holdStored(memory, "a")
        run.saving.cancel()
      }
    }
  }

  @Test("O9: an archive forgets a follower that has ended")
  func ended() async {
    await exploreContract(seeds: 100) {
      let run = Run(Run.memory("old"))
      await run.follow()
      try hold(run.archive.claim.followerCount == 1, "the follower is not registered")
      await run.saving.cancelAndWait()
      try hold(run.archive.claim.followerCount == 0, "the follower is still registered")
    }
  }

  @Test("O9: after an outdated restore, the stored state is kept until it is loaded again")
  func loadedAndOutdated() async {
    await exploreContract(seeds: 200) {
      let memory = Run.memory("old")
      let run = Run(memory)
      guard case .state = try await run.archive.load() else { throw Broken() }
      await run.commit("a")
      guard case .outdated = try await run.restore() else { throw Broken() }
      await run.follow()
      try Run.holdStored(memory, "old")
      guard case .state = try await run.archive.load() else { throw Broken() }
      await untilIdle()
      try Run.holdStored(memory, "a")
      run.saving.cancel()
    }
  }

  @Test("O9: damaged bytes are replaced only after they are set aside")
  func damaged() async {
    await exploreContract(seeds: 200) {
      let isFull = Shared(true)
      let memory = Run.memory("old?") { if $0 == .setAside, isFull.value { throw Broken() } }
      let run = Run(memory)
      guard case .damaged(_, nil) = try await run.restore() else { throw Broken() }
      await run.follow()
      await run.commit("a")
      try Run.holdStored(memory, "old?")
      try hold(run.errors.all == ["NotReplaced"], "\(run.errors.all)")
      isFull.value = false
      guard case .damaged(_, "aside") = try await run.restore() else { throw Broken() }
      try Run.holdStored(memory, "a")
      run.saving.cancel()
    }
  }

  @Test(
    "O9: a follower that cannot read does not replace anything, and reads again at the next state")
  func unreadable() async {
    await exploreContract(seeds: 200) {
      for stored in ["old", nil] {
        let isBroken = Shared(true)
        let memory = Run.memory(stored) { if $0 == .read, isBroken.value { throw Broken() } }
        let run = Run(memory)
        await run.follow()
        try Run.holdStored(memory, stored)
        isBroken.value = false
        await run.commit("a")
        try Run.holdStored(memory, stored ?? "a")
        let errors = stored == nil ? ["Broken"] : ["Broken", "NotReplaced"]
        try hold(run.errors.all == errors, "\(run.errors.all)")
        run.saving.cancel()
      }
    }
  }

  @Test("O9: a refused follower ends with its holder or its bag, and leaves the bytes unchanged")
  func ends() async {
    await exploreContract(seeds: 500) {
      let memory = Run.memory("old")
      let (saving, errors) = (TaskBag(), Log<String>())
      for isCancelled in [true, false] {
        do {
          let run = Run(memory)
          run.archive.follow(run.notes, in: saving) { errors.append("\(type(of: $0))") }
          await run.notes.commit("a")
          if isCancelled { saving.cancel() }
        }
        await saving.wait()
        try Run.holdStored(memory, "old")
      }
      try hold(errors.all.last == "NotReplaced" && errors.all.count <= 2, "\(errors.all)")
      sometimes("the cancelled follower has reported nothing", errors.all.count == 1)
    }
  }

  @Test("O9: after a late restore, a follower still saves the last state before it ends")
  func allowedAtTheEnd() async {
    await exploreContract(seeds: 2_000) {
      let (memory, saving) = (Run.memory("old"), TaskBag())
      do {
        let run = Run(memory)
        run.archive.follow(run.notes, in: saving) { _ in }
        async let outcome = run.notes.restore(from: run.archive)
        guard case .state = try await outcome else { throw Broken() }
        await run.notes.commit("last")
      }
      await saving.wait()
      try Run.holdStored(memory, "old,last")
    }
  }

  @Test("O9: each run reads the previous run's state, or replaces nothing")
  func runs() async {
    await exploreContract(seeds: 200) {
      let memory = Run.memory(nil)
      for (note, isRestored, stored) in [
        ("a", true, "a"), ("b", true, "a,b"), ("c", false, "a,b"), ("d", true, "a,b,d"),
      ] {
        let run = Run(memory)
        if isRestored { _ = try await run.restore() }
        await run.follow()
        await run.commit(note)
        try Run.holdStored(memory, stored)
        run.saving.cancel()
        // A second follower of the same archive begins where the first one ended.
        await run.follow()
        await run.commit("!")
        try Run.holdStored(memory, isRestored ? stored + ",!" : stored)
        run.saving.cancel()
        if isRestored { try await run.archive.save(stored.split(separator: ",").map(String.init)) }
      }
    }
  }

  #if DEBUG && (os(macOS) || os(Linux))
    @Test("O9: a debug build warns once if follow gets the holder's own bag, and names the fix")
    func ownBag() async throws {
      let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        let run = FollowRun(Memory())
        for bag in [run.saving, run.notes.knot.bag, run.notes.knot.bag] {
          run.archive.follow(run.notes, in: bag) { _ in }
        }
      }
      for words in [
        "follow(_:in:onError:): needs a bag", "got the bag of Notes", "let saving = TaskBag()",
      ] {
        #expect(result.says(words))
      }
      let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
      #expect(text.ranges(of: "got the bag").count == 1)
    }
  #endif

  @Test("The error of a refused follower says what to call")
  func message() {
    let text = "\(StateArchive<Int>.NotReplaced())"
    for call in ["follow(_:in:onError:)", "restore(from:)", "save(_:)"] {
      #expect(text.contains(call))
    }
  }

  @Test("O4, O13: the task of a follower does not belong to the message that calls follow")
  func followInADispatch() async {
    await exploreContract(seeds: 300, allowing: [.noChoice]) {
      let (worker, saving, gate) = (Onsite(), TaskBag(), Gate())
      let isLate = Shared(false)
      let memory = Memory { access in
        guard access == .write, isLate.value else { return }
        isLate.value = false
        await worker.commit(99)
      }
      let archive = StateArchive<[Int]>(
        storage: memory, encode: { $0.map { UInt8($0) } }, decode: { $0.map { Int($0) } })
      worker.send(1, .latest("open")) { worker in
        archive.follow(worker, in: saving) { _ in }
        await gate.wait()
      }
      await untilIdle()
      worker.cancel("open")
      gate.open()
      await untilIdle()
      isLate.value = true
      worker.send(3)
      await untilIdle()
      try hold(worker.state.contains(99), "\(worker.state)")
      saving.cancel()
    }
  }
}
