import Dispatch
import ExploreTesting
import Foundation
import TestSupport
import Testing

/// X17, X18 and X19: the seed controls faults, choices, dates and random numbers.
@Suite struct ChanceTests {
  private struct Broken: Error {}

  /// Returns the text of the issues that `body` records.
  private static func report(_ body: @escaping @Sendable () async -> Void) async -> String {
    await recordedIssues(body).map { "\($0.comments) \($0)" }.joined(separator: "\n")
  }

  @Test("X17: outside an exploration there are no faults, and the first value is chosen")
  func plain() {
    #expect(!fault("never"))
    #expect(choose(from: [3, 1, 2]) == 3)
    #expect(choose("pause", from: 5...7) == 5)
  }

  @Test("X17: outside an exploration, the name of a fault or a choice is not evaluated")
  func noName() {
    let count = Counter()
    func name() -> String {
      count.increment()
      return "never"
    }
    _ = fault(name())
    _ = choose(name(), from: [1, 2])
    #expect(count.value == 0)
  }

  @Test("X17: together, the seeds choose every value, and each seed repeats its choices")
  func drawn() async {
    var drawn: [[Int]] = []
    for _ in 0..<2 {
      let log = Log<Int>()
      await explore(seeds: 200) {
        log.append(choose(from: [10, 20, 30]) + (fault("lost response") ? 1 : 0))
      }
      drawn.append(log.all)
    }
    #expect(drawn[0] == drawn[1])
    #expect(Set(drawn[0]) == [10, 20, 30, 11, 21, 31])
  }

  @Test("X17: a fault counts as a decision, so a scenario with no other decision is explored")
  func counts() async {
    let outcome = await Exploration(seeds: 200).outcome { _ = fault("a") }
    #expect(outcome.failure == nil && outcome.account.choices == 200)
    #expect(outcome.account.schedules == 2)
  }

  /// Fails if the third response is lost, whatever else happens.
  private static let thirdAnswer: @Sendable () async throws -> Void = {
    let tasks = (0..<2).map { _ in Task { await Task.yield() } }
    for index in 0..<5 {
      _ = choose("pause", from: [0, 1, 2])
      if fault("lost response"), index == 2 { throw Broken() }
      _ = fault("late response")
      await Task.yield()
    }
    for task in tasks { await task.value }
  }

  @Test("X17: a failure is shown with the fewest faults, and then with the fewest switches")
  func shrunk() async {
    let text = await Self.report { await explore(seeds: 1_000, Self.thirdAnswer) }
    #expect(
      text.contains(
        "It fails with 1 lost response and no forced switch. With fewer faults and no forced switch, it passes. The run that fails:"
      ),
      "\(text)"
    )
    #expect(text.contains(", fault: lost response"), "\(text)")
    #expect(!text.contains("late response") && !text.contains("pause: "), "\(text)")
  }

  @Test("X17: shrinking keeps a fault that the failure needs, and a switch that the fault needs")
  func both() async {
    let text = await Self.report {
      await explore(seeds: 1_000) {
        let isSet = Shared(false)
        let other = Task { isSet.value = true }
        await Task.yield()
        let wasEarly = isSet.value
        await other.value
        await Task.yield()
        let third = Task { isSet.value = false }
        await third.value
        if wasEarly, fault("crash") { throw Broken() }
      }
    }
    #expect(text.contains("It fails with 1 crash and "), "\(text)")
  }

  @Test("X17, X9: a search tries each combination of faults and values once")
  func searched() async {
    let log = Log<[Int]>()
    let count = await exploreAll {
      let first = choose(from: [1, 2, 3])
      log.append([first, fault("a") ? 1 : 0, fault("b") ? 1 : 0])
    }
    #expect(count == 12 && Set(log.all).count == 12 && log.all.count == 12)
  }

  @Test("X17, X9: runs with more faults than the bound are left out, so a retry loop ends")
  func bounded() async {
    let log = Log<Int>()
    let count = await exploreAll(faults: 3) {
      var tries = 1
      while fault("lost request") { tries += 1 }
      log.append(tries)
    }
    #expect(count == 4 && log.all.sorted() == [1, 2, 3, 4])
  }

  @Test("X17, X9: with stateIsInActors, a search tries each fault in each order of visits")
  func reduced() async {
    actor Box {
      var events: [String] = []
      func add(_ event: String) { events.append(event) }
    }
    let log = Log<[String]>()
    for stateIsInActors in [false, true] {
      await exploreAll(stateIsInActors: stateIsInActors, interrupts: false) {
        let box = Box()
        await withDiscardingTaskGroup { group in
          for name in ["a", "b"] {
            group.addTask { await box.add(fault("\(name) crashes") ? "-" : name) }
          }
        }
        log.append(await box.events + ["\(stateIsInActors)"])
      }
    }
    let orders = [
      ["a", "b"], ["b", "a"], ["-", "b"], ["b", "-"], ["a", "-"], ["-", "a"], ["-", "-"],
    ]
    var wanted: Set<[String]> = []
    for order in orders { wanted.formUnion([order + ["true"], order + ["false"]]) }
    #expect(Set(log.all) == wanted)
  }

  @Test("X17: there are no faults within calm or after it")
  func calmly() async {
    let faults = Counter()
    await explore(seeds: 100) {
      if fault("before") { faults.increment() }
      await calm { #expect(!fault("within") && Exploration.isCalm) }
      #expect(!fault("after"))
      _ = choose(from: [1, 2])
    }
    #expect(faults.value > 0 && !Exploration.isCalm)
  }

  @Test("X8, X17: the file of a failure contains its faults, and a replay repeats them")
  func file() throws {
    let process = try TestProcess()
    let first = try process.run("Faulty/losesTheThirdAnswer")
    let file = try #require(first.file)
    #expect(try String(contentsOfFile: file, encoding: .utf8).contains("switch "))
    let again = try process.run("Faulty/losesTheThirdAnswer", ["EXPLORE_REPLAY": file])
    #expect(again.text.contains("the replayed schedule threw Broken()"), "\(again.text)")
    #expect(again.text.contains("fault: lost response"))
  }

  fileprivate static func fail() async { await explore(seeds: 1_000, thirdAnswer) }

  @Test("X19: a second run detects code that does not follow the seed, and the report says so")
  func differs() async {
    let count = Counter()
    var exploration = Exploration(seeds: 100)
    exploration.runsTwice = true
    let text = await Self.report { [exploration] in
      await explore(exploration) {
        count.increment()
        for _ in 0..<(count.value == 20 ? 3 : 1) { _ = choose(from: [1, 2]) }
        await Task.yield()
      }
    }
    // The twentieth run is the second run of seed 9.
    #expect(text.contains("seed 9 took a different path when it ran again"), "\(text)")
    #expect(text.contains("in choice 2 of choose or fault"), "\(text)")
  }

  @Test(
    "X19: a second run is reported if its choices are the same but its jobs belong to other tasks")
  func otherTasks() async {
    let count = Counter()
    var exploration = Exploration(seeds: 1)
    exploration.runsTwice = true
    let text = await Self.report { [exploration] in
      await explore(exploration) {
        count.increment()
        let waiting = (0..<2).map { _ in Shared<CheckedContinuation<Void, Never>?>(nil) }
        let tasks = waiting.map { waits in
          Task { await withCheckedContinuation { waits.value = $0 } }
        }
        await untilIdle()
        for index in count.value == 1 ? [0, 1] : [1, 0] {
          waiting[index].value?.resume()
          await untilIdle()
        }
        for task in tasks { await task.value }
      }
    }
    #expect(
      text.contains("its choices were the same, but its jobs belonged to other tasks"), "\(text)")
  }

  @Test(
    "X19: a seed repeats its trace, with actors, tasks, sleeps, sets, choices and interruptions")
  func again() async {
    actor Tally {
      var names: Set<String> = []
      func add(_ name: String) { names.insert(name) }
    }
    var exploration = Exploration(seeds: 2_000)
    exploration.runsTwice = true
    exploration.interrupts = true
    exploration.variesDurations = true
    let runs = Counter()
    await explore(exploration) {
      runs.increment()
      let tally = Tally()
      await withDiscardingTaskGroup { group in
        for index in 0..<4 {
          group.addTask {
            if Bool.random() { try? await Task.sleep(for: .milliseconds(Int.random(in: 1...9))) }
            if fault("crash") { return }
            await tally.add("\(index)")
          }
        }
      }
      for name in await tally.names where name > "1" { Task { await tally.add(name + "!") } }
    }
    #expect(runs.value == 4_000)
  }

  #if os(Linux)
    /// Returns the values that a scenario draws with each seed, in each of two explorations.
    private static func drawnTwice<Drawn: Sendable>(
      seeds: Int, _ draw: @escaping @Sendable () -> Drawn
    ) async -> [[Drawn]] {
      var seen: [[Drawn]] = []
      for _ in 0..<2 {
        let log = Log<Drawn>()
        await explore(seeds: seeds, allowing: [.noChoice]) { log.append(draw()) }
        seen.append(log.all)
      }
      return seen
    }

    @Test("X18: dates, identifiers and random numbers follow the seed, and differ between seeds")
    func world() async {
      let seen = await Self.drawnTwice(seeds: 20) {
        var generator = SystemRandomNumberGenerator()
        let words = [
          "\(UUID())", "\(Int.random(in: 0...1_000_000))", "\(generator.next())",
          "\([1, 2, 3, 4, 5, 6, 7, 8].shuffled())", "\(Double.random(in: 0..<1))",
        ]
        #expect(Date() == Date(timeIntervalSince1970: 1_767_225_600))
        return words.joined(separator: " ")
      }
      #expect(seen[0] == seen[1])
      #expect(Set(seen[0]).count == 20)
    }

    @Test("X18: the bytes of getentropy follow the seed")
    func entropy() async {
      let seen = await Self.drawnTwice(seeds: 20) {
        var bytes = [UInt8](repeating: 0, count: 16)
        #expect(getentropy(&bytes, 16) == 0)
        return bytes
      }
      #expect(seen[0] == seen[1])
      #expect(Set(seen[0]).count == 20)
    }

    @Test("X18: random numbers of the C library follow the seed, and are uniform below a bound")
    func library() async throws {
      // Not every C library on Linux has these functions.
      guard let any = dlsym(nil, "arc4random"), let below = dlsym(nil, "arc4random_uniform") else {
        return
      }
      typealias Draw = @convention(c) @Sendable () -> UInt32
      typealias DrawBelow = @convention(c) @Sendable (UInt32) -> UInt32
      let random = unsafeBitCast(any, to: Draw.self)
      let uniform = unsafeBitCast(below, to: DrawBelow.self)
      let seen = await Self.drawnTwice(seeds: 100) {
        [random(), uniform(3), uniform(1), uniform(0), uniform(3 << 30)]
      }
      #expect(seen[0] == seen[1])
      #expect(Set(seen[0].map { $0[0] }).count == 100)
      #expect(Set(seen[0].map { $0[1] }) == [0, 1, 2])
      #expect(seen[0].allSatisfy { $0[2] == 0 && $0[3] == 0 && $0[4] < 3 << 30 })
      #expect((20...45).contains(seen[0].count { $0[4] < 1 << 30 }))
    }

    @Test(
      "X18: the wall clock starts at the scenario's date, and advances with the time of the run")
    func date() async {
      await explore(seeds: 20, allowing: [.noChoice]) {
        Exploration.setDate(secondsSince1970: 1_000)
        #expect(Date().timeIntervalSince1970 == 1_000)
        try await Task.sleep(for: .milliseconds(2_500))
        #expect(Date().timeIntervalSince1970 == 1_002.5)
        #expect(Foundation.time(nil) == 1_002)
        for clock in [CLOCK_REALTIME, CLOCK_REALTIME_COARSE, CLOCK_REALTIME_ALARM, CLOCK_TAI] {
          var time = timespec()
          clock_gettime(clock, &time)
          #expect(time.tv_sec == 1_002)
        }
        Exploration.setDate(secondsSince1970: 100)
        #expect(Date().timeIntervalSince1970 == 100)
        try await Task.sleep(for: .milliseconds(750))
        #expect(Date().timeIntervalSince1970 == 100.75)
        let uptime = ProcessInfo.processInfo.systemUptime
        try await Task.sleep(for: .seconds(5))
        #expect(ProcessInfo.processInfo.systemUptime - uptime == 5)
      }
      #expect(Date().timeIntervalSince1970 > 1_767_225_600)
    }

    @Test("X18: sets have the same order in every process")
    func hashes() async {
      let words = Set((0..<20).map { "word \($0)" }).joined(separator: ",")
      let result = await #expect(
        processExitsWith: .success, observing: [\.standardOutputContent]
      ) { print(Set((0..<20).map { "word \($0)" }).joined(separator: ",")) }
      let other = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
      #expect(other.contains(words))
    }

    @Test("X18: the account names a clock that the seed does not control")
    func foreignClock() async {
      let outcome = await Exploration(seeds: 3, allowing: [.noChoice]).outcome {
        _ = DispatchTime.now()
        _ = UUID()
      }
      #expect(outcome.account.foreignReadings == 3)
      #expect(
        "\(outcome.account)".contains(
          "3 readings of clocks or random numbers that the seed does not control"))
    }
  #endif
}

@Suite(.enabled(if: TestProcess.isThis)) struct Faulty {
  @Test func losesTheThirdAnswer() async { await ChanceTests.fail() }
}
