@testable import ExploreTesting

/// Checks the exact effects of a scenario's probes, not only that the contracts hold.
@Suite struct ProbeConsequenceTests {
  /// A word with operations that do not commute: letters are appended, and the word is cleared.
  struct Word: SequentialModel {
    enum Operation: Sendable, Hashable { case append(String), clear, read }
    var text = ""
    mutating func apply(_ operation: Operation) -> String? {
      switch operation {
      case .append(let letter): text += letter
      case .clear: text = ""
      case .read: return text
      }
      return nil
    }
  }

  actor Page {
    enum Fault: CaseIterable { case none, appendsInFront, losesUpdates, readsStale }
    private let fault: Fault
    private var text = ""
    private var stale = ""
    init(_ fault: Fault) { self.fault = fault }

    func perform(_ operation: Word.Operation) async -> String? {
      guard operation != .read else { return fault == .readsStale ? stale : text }
      stale = text
      switch operation {
      case .append(let letter) where fault == .appendsInFront: text = letter + text
      case .append(let letter):
        let seen = text
        if fault == .losesUpdates { await Task.yield() }
        text = seen + letter
      case .clear, .read: text = ""
      }
      return nil
    }
  }

  @Test(
    "X12: with operations that do not commute, only a subject without a fault is accepted",
    arguments: Page.Fault.allCases)
  func orderMatters(_ fault: Page.Fault) async {
    let issues = await recordedIssues {
      await checkLinearizable(model: Word(), threads: 2, length: 3, programs: 40, seeds: 30) {
        switch $0.integer(in: 0...3) {
        case 0: .clear
        case 1: .append("a")
        case 2: .append("b")
        default: .read
        }
      } subject: {
        Page(fault)
      } perform: { page, operation in
        await page.perform(operation)
      }
    }
    #expect(issues.isEmpty == (fault == .none), "\(issues)")
  }

  @Test("A recorder misses no element that arrives while a condition looks at earlier elements")
  func meanwhile() async {
    await explore(seeds: 300) {
      let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
      let recorder = Recorder(stream)
      continuation.yield(0)
      await recorder.wait(for: 1)
      let looks = Log<Int>()
      let elements = await recorder.wait { elements in
        looks.append(elements.count)
        // The second element may be recorded before the condition has returned.
        if elements.count == 1 {
          continuation.yield(1)
          preemptionPoint()
          sometimes("the element arrives while the condition runs", recorder.elements.count == 2)
        }
        return elements.contains(1)
      }
      #expect(elements == [0, 1])
      #expect(looks.all == [1, 2])
      #expect(recorder.end == nil)
      continuation.finish()
      #expect(await recorder.waitForEnd() == [0, 1])
    }
  }

  @Test("X2: each sleeper on a test clock wakes once, at its deadline and not before")
  func wakes() async {
    await explore(seeds: 300) {
      let clock = TestClock()
      let woken = Log<[Duration]>()
      for seconds in [3, 1, 2] {
        Task {
          try await clock.sleep(until: clock.now.advanced(by: .seconds(seconds)))
          woken.append([.seconds(seconds), clock.now.offset])
        }
      }
      await clock.sleepers(atLeast: 3)
      #expect(clock.sleeperCount == 3)
      await clock.advance(by: .milliseconds(2_500))
      #expect(woken.all == [1, 2].map { [.seconds($0), .seconds($0)] })
      #expect(clock.sleeperCount == 1 && clock.now.offset == .milliseconds(2_500))
      await clock.advance(by: .milliseconds(500))
      #expect(woken.all.count == 3 && woken.all.last == [.seconds(3), .seconds(3)])
      #expect(clock.sleeperCount == 0)
    }
  }

  @Test(
    "X6: a watched value is shown, with its previous value, at exactly the steps that change the value"
  )
  func watched() async throws {
    let recorder = RunRecorder()
    var plan = RunPlan(seed: 0, Chooser(following: [], isMixed: false))
    plan.recorder = recorder
    let context = TestContext()
    defer { context.end() }
    _ = await Exploration().run(plan, in: context) {
      let number = Shared(0)
      watch("number") { number.value }
      for next in [1, 1, 3] {
        await Task.yield()
        number.value = next
      }
      await Task.yield()
    }
    let changes = recorder.run.steps.flatMap(\.changes)
    #expect(changes == ["number: 0 -> 1", "number: 1 -> 3"])
  }

  @Test(
    "X10: a condition is reported if no run meets it, but not if one run in a thousand does"
  )
  func met() async {
    let rare = Counter()
    let issues = await recordedIssues {
      await explore(seeds: 1_000, allowing: [.noChoice]) {
        await Task.yield()
        sometimes("seed 717", Exploration.seed == 717)
        sometimes("seed 1,000", Exploration.seed == 1_000)
        // A condition that one run has met counts as met, whatever later runs do.
        sometimes("the first", rare.increment() == 0)
      }
    }
    #expect(issues.count == 1)
    #expect(issues.say("no run met the condition: seed 1,000"))
    #expect(!issues.say("717") && !issues.say("the first"))
  }

  @Test("X17: calm affects only its own run, and forwards the result or the error of its body")
  func calmed() async {
    struct Storm: Error {}
    let faults = Counter()
    await explore(seeds: 200, allowing: [.noChoice]) {
      #expect(!Exploration.isCalm)
      if fault("storm") { faults.increment() }
      let seven = await calm { 7 }
      #expect(seven == 7 && Exploration.isCalm)
      await #expect(throws: Storm.self) { try await calm { throw Storm() } }
    }
    #expect(faults.value > 0 && !Exploration.isCalm)
  }
}
