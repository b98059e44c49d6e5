import ExploreWorld
import TestSupport
import Testing

/// X17: the seed decides where links, disks, processes and clocks fail.
@Suite struct WorldTests {
  @Test("X17: of two files that were renamed from one name, a crash can empty only the second")
  func secondRenamedFileIsEmptied() async {
    await exploreAll(faults: 0) {
      let disk = FaultyDisk()
      let files = disk.open()
      for (byte, name) in [(1 as UInt8, "a"), (2, "b")] {
        try await files.write([byte], to: "new")
        try await files.rename("new", to: name)
      }
      disk.crash()
      let after = disk.open()
      let (first, second) = (try await after.read("a"), try await after.read("b"))
      sometimes("only the second file is emptied", first == [1] && second == [])
    }
  }

  @Test("X17: outside an exploration, links and clocks work perfectly, and disks keep all data")
  func perfect() async throws {
    let link = FaultyLink()
    for number in 0..<50 { #expect(try await link.call { number } == number) }
    let disk = FaultyDisk()
    try await disk.open().append([1, 2, 3], to: "a")
    disk.crash()
    #expect(try await disk.open().read("a") == [1, 2, 3])
    let clock = SkewedClock()
    let difference = clock.now.duration(to: ContinuousClock.now)
    #expect(difference >= .zero && difference < .seconds(60))
  }

  @Test(
    "X17: a link can lose requests and responses, repeat requests and be cut, but works within calm"
  )
  func link() async {
    await explore(seeds: 2_000) {
      let link = FaultyLink("db")
      let (calls, answers) = (Log<Int>(), Log<Int>())
      for _ in 0..<4 {
        do {
          try await link.call { calls.append(1) }
          answers.append(1)
        } catch is FaultyLink.Lost {}
      }
      await untilIdle()
      sometimes("a request is lost", calls.all.count < 4)
      sometimes("a request arrives twice", calls.all.count > 4)
      sometimes("a response is lost", answers.all.count < min(4, calls.all.count))
      sometimes("the link is cut", link.isCut)
      sometimes(
        "no request and no response is lost", calls.all.count == 4 && answers.all.count == 4)
      try await calm {
        try await link.call { calls.append(1) }
        #expect(!link.isCut)
      }
    }
  }

  @Test("X17: in a report, the name of a link precedes the names of its faults")
  func namedLink() async {
    let issues = await recordedIssues {
      await explore(seeds: 100) { try await FaultyLink("db").call {} }
    }
    #expect(issues.say("fault: db: "))
  }

  @Test(
    "X17: a cut by the test lasts until the test mends the link, even if the seed cut the link first"
  )
  func cutLasts() async {
    await explore(seeds: 500) {
      let link = FaultyLink()
      try? await link.call {}
      sometimes("the seed has cut the link", link.isCut)
      link.cut()
      try await Task.sleep(for: .seconds(10))
      #expect(link.isCut)
      link.mend()
      #expect(!link.isCut)
    }
  }

  @Test("X17: a link that the seed has cut works again after a while")
  func mended() async {
    await explore(seeds: 500) {
      let link = FaultyLink()
      try? await link.call {}
      guard link.isCut else { return }
      try await Task.sleep(for: .seconds(3_600))
      sometimes("the seed has mended the link", !link.isCut)
    }
  }

  @Test("X17: a disk may refuse a rename, and a process may crash before its response")
  func refusalsAndCrashes() async {
    await explore(seeds: 500) {
      let files = FaultyDisk().open()
      try? await files.append([1], to: "a")
      do { try await files.rename("a", to: "b") } catch {
        sometimes("a rename is refused", error is FaultyDisk.Refused)
      }
      let process = FaultyProcess(on: FaultyDisk()) { _ in 0 }
      let call: Void? = try? await process.call { _ in }
      sometimes("the process crashes without using the disk", call == nil)
    }
  }

  @Test(
    "X17: a call or message sent over a cut link is lost, even if the link is soon mended"
  )
  func cutBeforeCall() async {
    await explore(seeds: 20, strategy: .uniform) {
      let (link, log) = (FaultyLink(delays: [.milliseconds(10)]), Log<Int>())
      link.cut()
      link.send { log.append(1) }
      let call = Task { try await link.call { log.append(2) } }
      try await Task.sleep(for: .milliseconds(5))
      link.mend()
      await #expect(throws: FaultyLink.Lost.self) { try await call.value }
      #expect(log.all.isEmpty)
    }
  }

  @Test("X17: messages can overtake each other, be lost, and be repeated")
  func messages() async {
    await explore(seeds: 1_000) {
      let (link, log) = (FaultyLink(), Log<Int>())
      for number in 0..<3 { link.send { log.append(number) } }
      try await Task.sleep(for: .seconds(1))
      sometimes("in order", log.all == [0, 1, 2])
      sometimes("overtaken", log.all == [1, 0, 2])
      sometimes("lost", log.all == [0, 2])
      sometimes("twice", log.all == [0, 1, 1, 2])
    }
  }

  @Test("X17: a crash keeps all synced data, and a prefix of the later changes")
  func prefixes() async {
    let log = Log<[UInt8]>()
    await exploreAll {
      let disk = FaultyDisk()
      let files = disk.open()
      await calm {
        try? await files.append([1, 2], to: "a")
        try? await files.sync()
        try? await files.append([3, 4, 5, 6], to: "a")
        try? await files.append([7, 8], to: "a")
      }
      disk.crash()
      log.append(try await disk.open().read("a") ?? [])
    }
    let all = Set(log.all)
    let whole: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]
    #expect(all == Set([2, 4, 5, 6, 7, 8].map { Array(whole.prefix($0)) }))
  }

  @Test(
    "X17: if a crash empties a renamed file, a file written later under its old name can survive")
  func reusedName() async {
    let log = Log<[[UInt8]]>()
    await exploreAll {
      let disk = FaultyDisk()
      let files = disk.open()
      try await calm {
        try await files.write([1], to: "b")
        try await files.rename("b", to: "a")
        try await files.write([2], to: "b")
      }
      disk.crash()
      let again = disk.open()
      log.append([try await again.read("a") ?? [9], try await again.read("b") ?? [9]])
    }
    #expect(log.all.contains([[], [2]]))
  }

  @Test(
    "X17: after a crash, a file written in place is old, empty, torn or new, and a replaced file is old or new"
  )
  func replaced() async {
    for isRenamed in [false, true] {
      let log = Log<[UInt8]>()
      await exploreAll {
        let disk = FaultyDisk()
        let files = disk.open()
        try await calm {
          try await files.write([1, 1], to: "a")
          try await files.sync()
          if isRenamed {
            try await files.write([2, 2], to: "b")
            try await files.sync()
            try await files.rename("b", to: "a")
          } else {
            try await files.write([2, 2], to: "a")
          }
        }
        disk.crash()
        log.append(try await disk.open().read("a") ?? [9])
      }
      #expect(Set(log.all) == (isRenamed ? [[1, 1], [2, 2]] : [[1, 1], [], [2], [2, 2]]))
    }
  }

  @Test(
    "X17: after a crash, a write through files that were opened before the crash throws and changes nothing"
  )
  func gone() async {
    await explore(seeds: 10, allowing: [.noChoice]) {
      try await calm { () async throws in
        let disk = FaultyDisk()
        let old = disk.open()
        disk.crash()
        await #expect(throws: FaultyDisk.Gone()) { try await old.write([1], to: "a") }
        #expect(try await disk.open().read("a") == nil)
      }
    }
  }

  /// A counter whose `increment()` stores the count on a disk before it returns.
  private actor Server {
    private let files: FaultyDisk.Files
    private var count: Int
    init(_ files: FaultyDisk.Files) async throws {
      self.files = files
      count = try await files.read("count").map { Int($0[0]) } ?? 0
    }
    func increment() async throws -> Int {
      count += 1
      let now = count
      try await files.write([UInt8(now)], to: "new")
      try await files.sync()
      try await files.rename("new", to: "count")
      try await files.sync()
      return now
    }
    func forget() -> Int { count }
  }

  @Test(
    "X17: a process crashes, restarts from its disk without losing confirmed data, and answers within calm"
  )
  func process() async {
    await explore(seeds: 3_000) {
      let server = FaultyProcess(on: FaultyDisk()) { try await Server($0.files) }
      var confirmed = 0
      for _ in 0..<3 {
        do {
          confirmed = try await server.call { try await $0.increment() }
        } catch is FaultyProcess<Server>.Down {
        } catch is FaultyDisk.Refused {
        } catch is FaultyDisk.Gone {}
      }
      sometimes("the server has crashed", server.lives > 1)
      sometimes("the server has crashed twice", server.lives > 2)
      let (last, confirmedLast) = try await calm { [confirmed] in
        var last = 0
        while true {
          do {
            last = try await server.call { await $0.forget() }
            break
          } catch is FaultyDisk.Gone {
            server.crash()
          }
        }
        return (last, confirmed)
      }
      #expect(last >= confirmedLast)
    }
  }

  @Test(
    "X17: after the disk of a released process crashes, the process's open files never work again")
  func releasedProcess() async {
    await explore(seeds: 300) {
      let (opened, continuation) = AsyncStream<FaultyDisk.Files>.makeStream()
      var process: FaultyProcess<Void>? = FaultyProcess(on: FaultyDisk()) { life in
        continuation.yield(life.files)
      }
      try? await process?.call {}
      process = nil
      var files = opened.makeAsyncIterator()
      guard let own = await files.next() else { return }
      var isGone = false
      for number in 0..<4 as Range<UInt8> {
        do {
          try await own.append([number], to: "log")
          #expect(!isGone)
        } catch is FaultyDisk.Gone {
          isGone = true
        } catch {}
      }
      sometimes("the disk has crashed", isGone)
    }
  }

  @Test("X17: nothing is written through old files after the disk is opened again")
  func openedAgain() async {
    await explore(seeds: 500) {
      let disk = FaultyDisk()
      let old = disk.open()
      let writers = (0..<2).map { _ in Task { try? await old.append([1], to: "log") } }
      await Task.yield()
      let new = disk.open()
      let count = try? await new.read("log")?.count
      for writer in writers { await writer.value }
      if let count, let last = try? await new.read("log")?.count {
        #expect(last == count)
        sometimes("a file was written", count > 0)
      }
    }
  }

  @Test("X17: a crash cancels the work of a process, and its callers get an error")
  func crash() async {
    await explore(seeds: 500) {
      try await calm { () async throws in
        let isCancelled = Shared(false)
        let process = FaultyProcess(on: FaultyDisk()) { life in
          life.task {
            try? await Task.sleep(for: .seconds(100))
            isCancelled.value = Task.isCancelled
          }
        }
        let call = Task { try await process.call { try await Task.sleep(for: .seconds(100)) } }
        await untilIdle()
        process.crash()
        await #expect(throws: FaultyProcess<Void>.Down()) { try await call.value }
        await untilIdle()
        #expect(isCancelled.value && process.lives == 2)
      }
    }
  }

  @Test("X17: skewed clocks differ from the real time, and sleep according to their own time")
  func clocks() async {
    let half = SkewedClock(offset: .zero, rate: 0.5)
    #expect(half.minimumResolution == ContinuousClock().minimumResolution * 0.5)
    await explore(seeds: 200) {
      let clock = SkewedClock()
      sometimes("ahead", clock.now > .now + .seconds(1))
      sometimes("behind", clock.now < .now - .seconds(1))
      let (own, real) = (clock.now, ContinuousClock.now)
      try await clock.sleep(until: clock.now + .seconds(10))
      #expect(clock.now - own >= .milliseconds(9_999))
      sometimes("fast", ContinuousClock.now - real < .seconds(9))
      sometimes("slow", ContinuousClock.now - real > .seconds(11))
    }
    var exploration = Exploration(seeds: 100, jobLimit: 1_000, allowing: [.noChoice])
    exploration.variesDurations = true
    await explore(exploration) {
      let clock = SkewedClock()
      let deadline = clock.now + .seconds(10)
      try await clock.sleep(until: deadline)
      #expect(clock.now >= deadline)
    }
  }
}
