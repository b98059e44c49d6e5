import ExploreWorld
import TestSupport
import Testing

/// X17: the exact consequences of one failure that the scenario itself causes, while nothing else fails.
@Suite struct ConsequenceTests {
  /// Runs every schedule without random faults.
  private func withoutFaults(
    sourceLocation: SourceLocation = #_sourceLocation,
    _ scenario: @escaping @Sendable () async throws -> Void
  ) async {
    let count = await exploreAll(
      faults: 0, interrupts: false, sourceLocation: sourceLocation, scenario)
    #expect(count != nil, sourceLocation: sourceLocation)
  }

  @Test(
    "X17: until a cut link is mended, the link delivers nothing and loses each call at its timeout"
  )
  func cutAndMended() async {
    await withoutFaults {
      let (link, arrived) = (FaultyLink(delays: [.zero], timeout: .seconds(3)), Log<Int>())
      link.cut()
      #expect(link.isCut)
      let start = ContinuousClock.now
      await #expect(throws: FaultyLink.Lost()) { try await link.call { arrived.append(1) } }
      #expect(ContinuousClock.now - start == .seconds(3))
      link.send { arrived.append(2) }
      await untilIdle()
      #expect(arrived.all == [])
      #expect(link.isCut)
      link.mend()
      #expect(!link.isCut)
      let answer = try await link.call {
        arrived.append(3)
        return 4
      }
      #expect(answer == 4)
      link.send { arrived.append(5) }
      await untilIdle()
      #expect(arrived.all == [3, 5])
    }
  }

  @Test(
    "X17: a request in flight when the link is cut never arrives, even if the link is mended immediately"
  )
  func cutInFlight() async {
    await withoutFaults {
      let link = FaultyLink(delays: [.milliseconds(50)], timeout: .seconds(1))
      let arrived = Log<Int>()
      let call = Task { try await link.call { arrived.append(1) } }
      try await Task.sleep(for: .milliseconds(10))
      link.cut()
      link.mend()
      await #expect(throws: FaultyLink.Lost()) { try await call.value }
      #expect(arrived.all == [])
    }
  }

  @Test(
    "X17: if the link is cut before the response, the response is lost and the request arrives once"
  )
  func cutAnswer() async {
    await withoutFaults {
      let (link, arrived) = (FaultyLink(delays: [.zero]), Log<Int>())
      await #expect(throws: FaultyLink.Lost()) {
        try await link.call {
          arrived.append(1)
          link.cut()
        }
      }
      #expect(arrived.all == [1])
    }
  }

  @Test(
    "X17: calm mends a cut link and ends all faults, for the rest of the run")
  func calmed() async {
    await explore(seeds: 400) {
      let (link, arrived) = (FaultyLink(), Log<Int>())
      sometimes("a fault happens before", fault("storm"))
      #expect(!Exploration.isCalm)
      link.cut()
      try await calm {
        #expect(Exploration.isCalm && !link.isCut)
        try await link.call { arrived.append(1) }
      }
      #expect(Exploration.isCalm)
      for _ in 0..<20 { #expect(!fault("storm")) }
      for number in 2...4 { try await link.call { arrived.append(number) } }
      #expect(arrived.all == [1, 2, 3, 4])
    }
  }

  @Test(
    "X17: a stopped process does not restart, and all calls to the process fail, even a call in flight"
  )
  func stopped() async {
    await withoutFaults {
      let begun = Log<Int>()
      let files = Shared<FaultyDisk.Files?>(nil)
      let process = FaultyProcess(on: FaultyDisk()) { life in
        begun.append(1)
        files.value = life.files
      }
      let call = Task { try await process.call { try await Task.sleep(for: .seconds(100)) } }
      await untilIdle()
      #expect(begun.all == [1])
      process.stop()
      await #expect(throws: FaultyProcess<Void>.Down()) { try await call.value }
      await #expect(throws: FaultyProcess<Void>.Down()) { try await process.call { 1 } }
      let old = try #require(files.value)
      await #expect(throws: FaultyDisk.Gone()) { try await old.write([1], to: "a") }
      process.crash()
      await untilIdle()
      await #expect(throws: FaultyProcess<Void>.Down()) { try await process.call { 1 } }
      #expect(begun.all == [1])
    }
  }

  @Test("X17: a file that is renamed before its appended bytes are synced keeps its synced bytes")
  func appendedAndRenamed() async {
    await exploreAll(faults: 0) {
      let disk = FaultyDisk()
      let files = disk.open()
      try await files.append([1], to: "draft")
      try await files.sync()
      try await files.append([2], to: "draft")
      try await files.rename("draft", to: "log")
      disk.crash()
      let again = disk.open()
      let (draft, log) = (try await again.read("draft"), try await again.read("log"))
      #expect((draft ?? log)?.first == 1)
      sometimes("the appended byte is lost", log == [1])
    }
  }

  @Test("X17: a renamed file has only its new name, and a removed file is not found")
  func renamed() async {
    await withoutFaults {
      let disk = FaultyDisk()
      var files = disk.open()
      try await files.write([1], to: "a")
      try await files.write([2], to: "b")
      try await files.rename("a", to: "b")
      #expect(try await files.read("a") == nil)
      #expect(try await files.read("b") == [1])
      try await files.rename("b", to: "c")
      try await files.write([3], to: "d")
      try await files.remove("d")
      try await files.sync()
      disk.crash()
      files = disk.open()
      for name in ["a", "b", "d"] { #expect(try await files.read(name) == nil) }
      #expect(try await files.read("c") == [1])
    }
  }

  @Test(
    "X17: a crash can empty a file that was renamed before a sync, but not a file that was synced first",
    arguments: [false, true])
  func renamedBeforeSync(isSynced: Bool) async {
    let found = Log<[UInt8]?>()
    await exploreAll(faults: 2) {
      try await calm {
        let disk = FaultyDisk()
        let files = disk.open()
        try await files.write([1], to: "state")
        try await files.sync()
        try await files.write([2], to: "new")
        try await files.append([3], to: "new")
        if isSynced { try await files.sync() }
        try await files.rename("new", to: "state")
        disk.crash()
        found.append(try await disk.open().read("state"))
      }
    }
    #expect(Set(found.all) == (isSynced ? [[1], [2, 3]] : [[1], [2, 3], []]))
  }

  @Test("X17: a file whose removal was synced does not come back after a crash")
  func removedAfterSync() async {
    await withoutFaults {
      let disk = FaultyDisk()
      let files = disk.open()
      try await files.write([1], to: "a")
      try await files.sync()
      try await files.remove("a")
      try await files.sync()
      disk.crash()
      #expect(try await disk.open().read("a") == nil)
    }
  }

  @Test("X17: cancelling a caller cancels the work of its call, and the process keeps running")
  func cancelledCaller() async {
    await withoutFaults {
      let ends = Log<Bool>()
      let process = FaultyProcess(on: FaultyDisk()) { _ in }
      let call = Task {
        try await process.call {
          try? await Task.sleep(for: .seconds(100))
          ends.append(Task.isCancelled)
        }
      }
      await untilIdle()
      call.cancel()
      try await call.value
      #expect(ends.all == [true])
      #expect(process.lives == 1)
    }
  }

  @Test(
    "X17: a crash restarts the process once, with the synced data, and ends all its earlier work")
  func crashed() async {
    await withoutFaults {
      let disk = FaultyDisk()
      let (begun, late) = (Log<Int>(), Log<Int>())
      let process = FaultyProcess(on: disk) { life in
        begun.append(Int(try await life.files.read("count")?.first ?? 0))
        if begun.all.count == 1 {
          try await life.files.write([7], to: "count")
          try await life.files.sync()
          life.task {
            try? await Task.sleep(for: .seconds(1))
            if !Task.isCancelled { late.append(1) }
          }
        }
      }
      try await process.call {}
      #expect(process.lives == 1)
      process.crash()
      #expect(process.lives == 2)
      try await process.call {}
      try await Task.sleep(for: .seconds(2))
      #expect(begun.all == [0, 7])
      #expect(late.all == [])
    }
  }

  @Test(
    "X17: a skewed clock is ahead by its offset, runs at its rate, and sleeps by its own time")
  func skewed() async {
    await withoutFaults {
      for (offset, rate) in [(5.0, 2.0), (-5, 0.5), (0, 1)] {
        let clock = SkewedClock(offset: .seconds(offset), rate: rate)
        let start = ContinuousClock.now
        #expect(clock.now - start == .seconds(offset))
        try await Task.sleep(for: .seconds(4))
        #expect(clock.now - start == .seconds(offset + 4 * rate))
        let before = ContinuousClock.now
        try await clock.sleep(until: clock.now + .seconds(10))
        #expect(ContinuousClock.now - before == .seconds(10 / rate))
      }
      for rate in [1.01, 1.5, 0.99, 0.7] {
        let clock = SkewedClock(offset: .zero, rate: rate)
        let deadline = clock.now + .seconds(1)
        try await clock.sleep(until: deadline)
        #expect(clock.now >= deadline)
      }
    }
  }

  @Test("X17: cancelling a caller before its call begins cancels the work of the call")
  func cancelledBefore() async {
    await withoutFaults {
      let process = FaultyProcess(on: FaultyDisk()) { _ in }
      let call = Task { try await process.call { try await Task.sleep(for: .seconds(3_600)) } }
      call.cancel()
      let start = ContinuousClock.now
      _ = try? await call.value
      #expect(ContinuousClock.now - start < .seconds(3_600))
    }
  }

  @Test(
    "X17: a message or repeated request in flight when the link is cut never arrives"
  )
  func messageInFlight() async {
    let arrived = Log<Int>()
    await exploreContract(seeds: 1_000, allowing: [.noChoice]) {
      let link = FaultyLink(delays: [.milliseconds(50)])
      let calls = Log<Int>()
      link.send { arrived.append(1) }
      link.cut()
      link.mend()
      do { try await link.call { calls.append(1) } } catch {}
      let count = calls.count
      link.cut()
      try await Task.sleep(for: .seconds(1))
      try hold(calls.count == count, "a request arrived over a cut link")
    }
    #expect(arrived.all.isEmpty)
  }

  @Test(
    "X17: within calm, a message that an earlier cut has lost stays lost", arguments: [true, false])
  func calmAfterACut(isInTransit: Bool) async {
    await withoutFaults {
      let (link, arrived) = (FaultyLink(delays: [.milliseconds(50)]), Log<Int>())
      if !isInTransit { link.cut() }
      link.send { arrived.append(1) }
      try await Task.sleep(for: .milliseconds(10))
      if isInTransit { link.cut() }
      link.mend()
      try await calm { try await Task.sleep(for: .seconds(1)) }
      #expect(arrived.all == [])
      link.cut()
      try await calm { try await link.call { arrived.append(2) } }
      #expect(arrived.all == [2])
    }
  }

  @Test("X17, X9: with stateIsInActors, a search also switches tasks before each access to a disk")
  func accessesAreDecisions() async {
    let log = Log<[UInt8]>()
    let count = await exploreAll(faults: 0, stateIsInActors: true) {
      let files = FaultyDisk().open()
      @Sendable func increment() async throws {
        let number = try await files.read("n")?.first ?? 0
        try await files.write([number + 1], to: "n")
      }
      let other = Task { try await increment() }
      try await increment()
      try await other.value
      log.append(try await files.read("n") ?? [])
    }
    #expect(count != nil)
    #expect(Set(log.all) == [[1], [2]], "one update is lost on some schedules")
  }

  @Test("X17: work that an earlier life of a process starts after a crash is cancelled")
  func workOfAnEndedLife() async {
    await withoutFaults {
      let lives = Log<FaultyLife>()
      let ends = Log<Bool>()
      let process = FaultyProcess(on: FaultyDisk()) { life in lives.append(life) }
      try await process.call {}
      process.crash()
      lives.all[0].task {
        try? await Task.sleep(for: .seconds(1))
        ends.append(Task.isCancelled)
      }
      try await Task.sleep(for: .seconds(2))
      #expect(ends.all == [true])
    }
  }

  @Test("X17: a crash at a service's first disk access cancels the service's creation")
  func serviceOfAnEndedLife() async {
    var exploration = Exploration(seeds: 1_000, allowing: [.noChoice])
    exploration.interrupts = true
    await explore(exploration) {
      let left = Log<Int>()
      let process = FaultyProcess(on: FaultyDisk()) { life in
        do { _ = try await life.files.read("a") } catch {
          await untilIdle()
          if !Task.isCancelled { left.append(1) }
          throw error
        }
      }
      await untilIdle()
      try await calm { try await process.call {} }
      try hold(left.all.isEmpty, "the service of an ended life is still being created")
    }
  }

  @Test("X17: a crash cancels a service that is still being created")
  func crashedDuringStart() async {
    await withoutFaults {
      let ends = Log<Bool>()
      let process = FaultyProcess(on: FaultyDisk()) { life in
        guard ends.all.isEmpty else { return }
        try? await Task.sleep(for: .seconds(1))
        ends.append(Task.isCancelled)
      }
      await untilIdle()
      process.crash()
      try await process.call {}
      try await Task.sleep(for: .seconds(2))
      #expect(ends.all.first == true)
    }
  }
}
