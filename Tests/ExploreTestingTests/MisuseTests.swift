@testable import ExploreTesting

/// Invalid calls trap with a message that names the call, the rule and the value.
@Suite struct MisuseTests {
  enum Misuse: String, CaseIterable, Codable {
    case seeds = "Exploration.seeds: needs at least 1 seed; got 0"
    case assignedSeeds = "Exploration.seeds: needs at least 1 seed; got -1"
    case jobLimit = "Exploration.jobLimit: needs at least 1 job; got 0"
    case limit = "exploreAll(limit:): needs at least 1 run; got 0"
    case preemptions = "exploreAll(preemptions:): needs at least 0 preemptions; got -1"
    case cancellations = "exploreCancelling(limit:): needs at least 1 suspension; got -1"
    case length = "checkLinearizable(length:): needs a count of at least 1; got 0"
    case operations = "checkLinearizable: needs threads × length of at most 64; got 5 × 13. Reduce"
    case elements = "SeededGenerator.array(count:of:): needs lengths of at least 0; got -1...2"
    case time = "TestClock.advance(by:): needs a duration of at least 0; got -1.0 seconds"
    case traps = "EXPLORE_TRAPS: needs a whole number of at least 0; got \"true\""
    case variable = "EXPLORE_SEED: needs a whole number of at least 0; got \"soon\""
  }

  @Test("An invalid call ends the process", arguments: Misuse.allCases)
  func traps(_ misuse: Misuse) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [misuse] in
      await MisuseTests.commit(misuse)
    }
    #expect(result.says(misuse.rawValue))
  }

  private static func commit(_ misuse: Misuse) async {
    switch misuse {
    case .seeds: await explore(seeds: 0) {}
    case .assignedSeeds:
      var exploration = Exploration()
      exploration.seeds = -1
    case .jobLimit: await explore(jobLimit: 0) {}
    case .limit: await exploreAll(limit: 0) {}
    case .preemptions: await exploreAll(preemptions: -1) {}
    case .cancellations: await exploreCancelling(limit: -1) {}
    case .length: await check(threads: 1, length: 0)
    case .operations: await check(threads: 5, length: 13)
    case .elements:
      var generator = SeededGenerator(seed: 0)
      _ = generator.array(count: -1...2) { $0.next() }
    case .time: await TestClock().advance(by: .seconds(-1))
    case .traps: _ = ReplayEnvironment { $0 == "EXPLORE_TRAPS" ? "true" : nil }
    case .variable: _ = ReplayEnvironment { $0 == "EXPLORE_SEED" ? "soon" : nil }
    }
  }

  private static func check(threads: Int, length: Int) async {
    await checkLinearizable(
      model: LinearizabilityTests.Model(), threads: threads, length: length
    ) { _ in
      .value
    } subject: {
    } perform: { _, _ in
      0
    }
  }

  /// Wakes one waiting task; an early ring is counted.
  private final class Bell: Sendable {
    private let state = Mutex((rings: 0, waiting: UnsafeContinuation<Void, Never>?.none))

    func ring() {
      let waiting = state.withLock { state in
        if state.waiting == nil { state.rings += 1 }
        return state.waiting.take()
      }
      waiting?.resume()
    }

    func wait() async {
      await withUnsafeContinuation { continuation in
        let isRung = state.withLock { state in
          if state.rings == 0 { state.waiting = continuation } else { state.rings -= 1 }
          return state.waiting == nil
        }
        if isRung { continuation.resume() }
      }
    }
  }

  @Test("X3, X14: tasks of an outer and an inner exploration may resume each other again and again")
  func nestedEcho() async {
    let both: ExplorationAllowances = [.noChoice, .foreignWork]
    let options = Exploration(seeds: 1, patience: .seconds(60), allowing: both)
    let issues = await recordedIssues {
      let failure = await options.firstFailure {
        let (ping, pong) = (Bell(), Bell())
        let echo = Task {
          for _ in 0..<3 {
            await ping.wait()
            pong.ring()
          }
        }
        let inner = await options.firstFailure {
          for _ in 0..<3 {
            ping.ring()
            await pong.wait()
          }
        }
        try hold(inner == nil, "\(inner as Any)")
        await echo.value
      }
      #expect(failure == nil, "\(failure as Any)")
    }
    #expect(issues.isEmpty)
  }
}
