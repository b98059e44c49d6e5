@testable import ExploreTesting
import Dispatch

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// X12: concurrent operations that return what they would return if they ran one after another.
@Suite struct LinearizabilityTests {
  struct Model: SequentialModel {
    enum Operation: Sendable, Hashable { case add(Int), value }
    var value = 0
    mutating func apply(_ operation: Operation) -> Int? {
      switch operation {
      case .add(let amount):
        value += amount
        return nil
      case .value: return value
      }
    }
  }

  private actor Cell {
    private(set) var value = 0
    private let isBroken: Bool
    init(isBroken: Bool) { self.isBroken = isBroken }
    func add(_ amount: Int) async {
      let seen = value
      if isBroken { await Task.yield() }
      value = seen + amount
    }
  }

  private func check(isBroken: Bool) async {
    await checkLinearizable(model: Model(), threads: 3, length: 3, programs: 20, seeds: 50) {
      $0.integer(in: 0...1) == 0 ? .add($0.integer(in: 1...3)) : .value
    } subject: {
      Cell(isBroken: isBroken)
    } perform: { cell, operation in
      switch operation {
      case .add(let amount):
        await cell.add(amount)
        return nil
      case .value:
        let value = await cell.value
        // Only some of the programs meet this condition.
        sometimes("the value is 3", value == 3)
        return value
      }
    }
  }

  /// Checks a correct subject with programs that only read it, and passes each value to `judge`.
  private static func checkReads(_ judge: @escaping @Sendable (Int) -> Void) async {
    await checkLinearizable(model: Model(), threads: 2, length: 2, programs: 3, seeds: 5) { _ in
      .value
    } subject: {
      Cell(isBroken: false)
    } perform: { cell, _ in
      let value = await cell.value
      judge(value)
      return value
    }
  }

  private func issuesOfReads(_ judge: @escaping @Sendable (Int) -> Void) async -> [Issue] {
    await recordedIssues { await Self.checkReads(judge) }
  }

  @Test("X10, X12: a condition that no run of any program meets fails the check")
  func never() async {
    let issues = await issuesOfReads { value in sometimes("never", false) }
    #expect(issues.count == 1)
    #expect(issues.say("checkLinearizable: no run met the condition: never"))
  }

  #if os(macOS) || os(Linux)
    @Test("X10, X12: a run with EXPLORE_SEED need not meet the conditions of the whole check")
    func oneSeed() async {
      await #expect(processExitsWith: .success) {
        setenv("EXPLORE_SEED", "3", 1)
        let values = Log<Int>()
        await LinearizabilityTests.checkReads { value in
          values.append(value)
          sometimes("never", false)
        }
        precondition(!values.all.isEmpty)
      }
    }
  #endif

  @Test("X12: a correct subject is accepted")
  func right() async { await check(isBroken: false) }

  @Test("X12: a program has up to the given number of operations in each thread")
  func length() async {
    let issues = await recordedIssues {
      await checkLinearizable(model: Model(), threads: 1, length: 4, programs: 20, seeds: 1) { _ in
        .add(1)
      } subject: {
        Log<Int>()
      } perform: { log, _ in
        log.append(1)
        // Only the fourth operation returns a wrong response.
        return log.all.count == 4 ? 4 : nil
      }
    }
    #expect(issues.count == 1 && issues.say("not linearizable", "add(1) → Optional(4)"))
  }

  @Test("X12: an incorrect subject is reported with the shortest program and its history")
  func wrong() async {
    let issues = await recordedIssues { await self.check(isBroken: true) }
    #expect(issues.count == 1)
    #expect(issues.say("not linearizable", "add(", "├"))
    // The shortest program has two additions that overlap, and a read of the result.
    let lines = "\(issues.first?.comments ?? [])".split(separator: "├").count - 1
    #expect(lines == 3)
  }

  private actor Stuck {
    func value() async -> Int? { await withUnsafeContinuation { _ in } }
  }

  @Test("X12: an operation that never returns is reported as such")
  func stuck() async {
    let issues = await recordedIssues {
      await checkLinearizable(model: Model(), threads: 2, length: 2, programs: 1, seeds: 2) { _ in
        .value
      } subject: {
        Stuck()
      } perform: { stuck, _ in
        await stuck.value()
      }
    }
    #expect(
      issues.say(
        "not linearizable", "in which the operations without a response wait forever",
        "value never returns"))
  }

  private struct Gate: SequentialModel {
    var isOpen = false
    mutating func apply(_ operation: Bool) -> Bool {
      if operation { isOpen = true }
      return operation
    }
    func waits(_ operation: Bool) -> Bool { !operation && !isOpen }
  }

  /// A door that lets visitors in once it is open.
  ///
  /// A broken door forgets the visitors who waited before it opened.
  private actor Door {
    private var isOpen = false
    private var waiting: [UnsafeContinuation<Void, Never>] = []
    private let isBroken: Bool
    init(isBroken: Bool) { self.isBroken = isBroken }
    func open() {
      isOpen = true
      guard !isBroken else { return }
      for visitor in waiting { visitor.resume() }
      waiting = []
    }
    func enter() async {
      if !isOpen { await withUnsafeContinuation { waiting.append($0) } }
    }
  }

  @Test("X12: an operation that never returns fails only if the model expects it to return")
  func pending() async {
    @Sendable func check(isBroken: Bool) async {
      await checkLinearizable(model: Gate(), threads: 2, length: 2, programs: 20, seeds: 20) {
        $0.integer(in: 0...2) == 0
      } subject: {
        Door(isBroken: isBroken)
      } perform: { door, opens in
        if opens { await door.open() } else { await door.enter() }
        return opens
      }
    }
    await check(isBroken: false)
    let issues = await recordedIssues { await check(isBroken: true) }
    #expect(issues.say("not linearizable", "true → true", "false never returns"))
  }

  @Test("X12: an operation fails if it returns although the model expects it to wait")
  func returnsTooEarly() async {
    let issues = await recordedIssues {
      await checkLinearizable(model: Gate(), threads: 1, length: 1, programs: 5, seeds: 1) { _ in
        false
      } subject: {
      } perform: { _, opens in
        opens
      }
    }
    #expect(issues.say("not linearizable", "false → false"))
  }

  @Test("X4: foreign work fails a linearizability check, and the failure names it")
  func foreignWork() async {
    let issues = await recordedIssues {
      await checkLinearizable(model: Model(), threads: 1, length: 1, programs: 1, seeds: 1) { _ in
        .value
      } subject: {
      } perform: { _, _ in
        let (isSuspended, isResumed) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        // The child task begins when this task has suspended. It keeps the run busy until the foreign job has arrived.
        async let other: Void = {
          isSuspended.signal()
          isResumed.wait()
        }()
        await withCheckedContinuation { continuation in
          DispatchQueue.global().async {
            isSuspended.wait()
            continuation.resume()
            isResumed.signal()
          }
        }
        await other
        return 0
      }
    }
    #expect(issues.say("linearizability was not checked", "had foreign work"))
  }

  @Test("X12, X21: a subject that is never created fails the check")
  func neverCreated() async {
    let issues = await recordedIssues {
      await checkLinearizable(model: Model(), programs: 1, seeds: 1) { _ in
        .value
      } subject: {
        await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
      } perform: { _, _ in
        nil
      }
    }
    #expect(issues.say("linearizability was not checked: with seed 0 the run stalled"))
  }

  @Test("X6, X12: an issue of an operation is recorded once, with the shortest program and a seed")
  func issue() async {
    let issues = await issuesOfReads { value in #expect(value == 1) }
    #expect(issues.count == 2)
    #expect(issues.say("(value → 0) == 1"))
    #expect(issues.say("linearizability was not checked: with seed 0 the run recorded an issue"))
    #expect("\(issues.last?.comments ?? [])".split(separator: "├").count == 2)
  }

  @Test("X12: a cancelled check ends without an issue")
  func cancelled() async {
    let issues = await recordedIssues {
      let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        await self.check(isBroken: true)
      }
      await task.value
    }
    #expect(issues.isEmpty)
  }

  /// Whether some order of the operations explains their results.
  private func bruteForce(_ events: [HistoryEvent<Model>]) -> Bool {
    func fits(_ rest: [HistoryEvent<Model>], _ model: Model) -> Bool {
      if rest.isEmpty { return true }
      return rest.indices.contains { index in
        let event = rest[index]
        guard !rest.contains(where: { $0.end < event.begin }) else { return false }
        var model = model
        guard model.apply(event.operation) == event.response else { return false }
        var others = rest
        others.remove(at: index)
        return fits(others, model)
      }
    }
    return fits(events, Model())
  }

  @Test("X12: the checker agrees with brute force on 10,000 random histories")
  func oracle() {
    var generator = SeededGenerator(seed: 12)
    var accepted = 0
    var isEqual = true
    for _ in 0..<10_000 {
      let count = generator.integer(in: 1...6)
      let times = (0..<2 * count).shuffled(using: &generator)
      let events = (0..<count).map { index in
        let pair = [times[2 * index], times[2 * index + 1]].sorted()
        let isAdd = generator.integer(in: 0...1) == 0
        return HistoryEvent<Model>(
          operation: isAdd ? .add(generator.integer(in: 1...2)) : .value,
          response: isAdd ? nil : generator.integer(in: 0...3), thread: index, begin: pair[0],
          end: pair[1])
      }
      var checker = LinearizabilityChecker(events)
      let result = checker.accepts(Model())
      if result { accepted += 1 }
      if result != bruteForce(events) { isEqual = false }
    }
    #expect(isEqual)
    #expect(accepted > 1_000 && accepted < 9_000)
  }
}
