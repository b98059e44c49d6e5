/// X9: running every schedule within a bound.
@Suite struct ExhaustiveTests {
  /// Returns a scenario with one task for each number in `jobs`.
  ///
  /// A task with the number `n` logs its index `n` times, and yields between two entries.
  private static func tasks(_ jobs: [Int], _ seen: Log<[Int]>) -> @Sendable () async throws -> Void
  {
    {
      let order = Log<Int>()
      await withDiscardingTaskGroup { group in
        for (task, count) in jobs.enumerated() {
          group.addTask {
            order.append(task)
            for _ in 1..<count {
              await Task.yield()
              order.append(task)
            }
          }
        }
      }
      seen.append(order.all)
    }
  }

  @Test("X9: a search reports a choice whose number of options differs from run to run")
  func optionsDiffer() async {
    let runs = Counter()
    let issues = await recordedIssues {
      await exploreAll {
        runs.increment()
        _ = choose("option", from: Array(0...runs.value))
      }
    }
    #expect(issues.say("a choice of an earlier schedule did not come up again"))
  }

  /// The number of ways to interleave tasks of `counts` steps, which is a multinomial coefficient.
  private static func orders(_ counts: [Int]) -> Int {
    var result = 1
    var total = 0
    for count in counts {
      for step in 1...count {
        total += 1
        result = result * total / step
      }
    }
    return result
  }

  /// Returns the number of schedules of a task group whose body starts one task for each element of `counts`, with that many
  /// jobs, and waits for the tasks.
  ///
  /// A started task may run before the body continues. The task that ends last resumes the body, and either may continue first.
  private static func interruptedSchedules(_ counts: [Int]) -> Int {
    var jobs = counts
    // Sums `rest` over each of the first `started` tasks that still has a job.
    func afterJob(of started: Int, _ rest: () -> Int) -> Int {
      (0..<started).filter { jobs[$0] > 0 }.reduce(0) { sum, task in
        jobs[task] -= 1
        defer { jobs[task] += 1 }
        return sum + rest()
      }
    }
    // The body has started `started` tasks. Either it continues, or one of them runs a job.
    func inBody(_ started: Int) -> Int {
      let standing = afterJob(of: started) { inBody(started) }
      if started < counts.count { return standing + inBody(started + 1) }
      return standing + (jobs.allSatisfy { $0 == 0 } ? 1 : suspended())
    }
    // The body waits. The task that ends last resumes it, and one of the two continues first.
    func suspended() -> Int {
      afterJob(of: counts.count) { jobs.allSatisfy { $0 == 0 } ? 2 : suspended() }
    }
    return counts.isEmpty ? 1 : inBody(1)
  }

  @Test(
    "X9: each schedule is run exactly once", arguments: [[1, 1], [2, 2], [3, 2], [2, 2, 2]])
  func exact(_ jobs: [Int]) async {
    let seen = Log<[Int]>()
    // A yield adds two jobs: one ends at the yield, the other resumes the task.
    let counts = jobs.map { 2 * $0 - 1 }
    #expect(await exploreAll(interrupts: false, Self.tasks(jobs, seen)) == Self.orders(counts))
    #expect(Set(seen.all).count == Self.orders(jobs))
    guard jobs.count == 2 else { return }
    #expect(await exploreAll(Self.tasks(jobs, seen)) == Self.interruptedSchedules(counts))
    #expect(Set(seen.all).count == Self.orders(jobs))
  }

  @Test("X9: without preemptions, two tasks have two schedules, and a high bound omits no schedule")
  func bounded() async {
    let seen = Log<[Int]>()
    // Either task runs first, and nothing interrupts it.
    #expect(await exploreAll(preemptions: 0, Self.tasks([2, 2], seen)) == 2)
    let all = await exploreAll(Self.tasks([2, 2], seen))
    let most = await exploreAll(preemptions: 100, Self.tasks([2, 2], seen))
    #expect(all == most)
  }

  private actor Visited {
    private let visits: Log<(actor: Int, task: Int)>
    private let number: Int
    init(_ number: Int, _ visits: Log<(actor: Int, task: Int)>) {
      self.number = number
      self.visits = visits
    }
    func visit(_ task: Int) { visits.append((number, task)) }
  }

  /// Returns, for every interleaving of the tasks, the order of visits at each actor.
  private static func classes(of program: [[Int]]) -> Set<[[Int]]> {
    var found: Set<[[Int]]> = []
    func go(_ next: [Int], _ orders: [[Int]]) {
      var isOver = true
      for task in program.indices where next[task] < program[task].count {
        isOver = false
        var (next, orders) = (next, orders)
        orders[program[task][next[task]]].append(task)
        next[task] += 1
        go(next, orders)
      }
      if isOver { found.insert(orders) }
    }
    go(program.map { _ in 0 }, [[], [], []])
    return found
  }

  @Test("X9: each class of schedules of 1,000 random programs is counted once, and none is missed")
  func counted() async {
    var generator = SeededGenerator(seed: 9)
    var wrong: [String] = []
    for _ in 0..<1_000 {
      // For each task, the actors that it visits, in order.
      let program = (0..<generator.integer(in: 1...3)).map { _ in
        (0..<generator.integer(in: 1...2)).map { _ in generator.integer(in: 0...2) }
      }
      let seen = Log<[[Int]]>()
      let count = await exploreAll(stateIsInActors: true) {
        let visits = Log<(actor: Int, task: Int)>()
        let actors = (0..<3).map { Visited($0, visits) }
        await withDiscardingTaskGroup { group in
          for (task, path) in program.enumerated() {
            group.addTask { for place in path { await actors[place].visit(task) } }
          }
        }
        let all = visits.all
        seen.append((0..<3).map { actor in all.filter { $0.actor == actor }.map(\.task) })
      }
      let classes = Self.classes(of: program)
      if count != classes.count || Set(seen.all) != classes {
        wrong.append("\(program): \(String(describing: count)) of \(classes.count)")
      }
    }
    #expect(wrong.isEmpty, "\(wrong.count) programs, such as \(wrong.prefix(3))")
  }

  @Test("X9: a lost update at a preemption point is found, and all schedules are counted")
  func preemptionPoints() async {
    func sums(_ preemptions: Int?) async -> (Set<Int>, Int?) {
      let sums = Log<Int>()
      let count = await exploreAll(preemptions: preemptions, interrupts: false) {
        let number = Shared(0)
        await withDiscardingTaskGroup { group in
          for _ in 0..<2 {
            group.addTask {
              let seen = number.value
              preemptionPoint()
              number.value = seen + 1
            }
          }
        }
        sums.append(number.value)
      }
      return (Set(sums.all), count)
    }
    // Either task runs first, and the other task runs in the middle of it or after it.
    #expect(await sums(nil) == ([1, 2], 4))
    #expect(await sums(0).0 == [2])
  }

  /// Appends to a log, on the main actor, when this object is released.
  @MainActor private final class Farewell {
    private let log: Log<String>
    nonisolated init(_ log: Log<String>) { self.log = log }
    isolated deinit { log.append("d") }
  }

  @Test("X9: a search tries an isolated deinit at each position, and a failing schedule replays")
  func isolatedDeinit() async {
    let seen = Log<String>()
    @Sendable func scenario() async -> String {
      let log = Log<String>()
      await Task {
        _ = Farewell(log)
        for step in ["x", "y"] {
          await Task.yield()
          log.append(step)
        }
      }.value
      await untilIdle()
      return log.all.joined()
    }
    await exploreAll(interrupts: false) { seen.append(await scenario()) }
    #expect(Set(seen.all) == ["dxy", "xdy", "xyd"])
    let issues = await recordedIssues {
      await explore(seeds: 100) { try hold(await scenario() != "xyd", "released last") }
    }
    #expect(issues.say("The shortest schedule that fails") && !issues.say("a different path"))
  }

  @Test(
    "X9: with stateIsInActors, a search also varies the order in which tasks arrive at an actor")
  func arrivals() async {
    @MainActor final class Line {
      var text = ""
      nonisolated init() {}
    }
    actor Recorded {
      var text = ""
      func add(_ letter: String) { text += letter }
    }
    let seen = Log<String>()
    let count = await exploreAll(stateIsInActors: true) {
      let (line, other) = (Line(), Recorded())
      let first = Task { Task { @MainActor in line.text += "1" } }
      let second = Task { Task { @MainActor in line.text += "2" } }
      await first.value.value
      await second.value.value
      let tasks = ["a", "b"].map { letter in Task { await other.add(letter) } }
      for task in tasks { await task.value }
      seen.append(await line.text + other.text)
    }
    #expect(count == 4 && Set(seen.all) == ["12ab", "12ba", "21ab", "21ba"])
  }

  @Test(
    "X9: an unfinished search warns, and estimates the number of schedules",
    arguments: [nil, 1, 2] as [Int?])
  func incomplete(_ bound: Int?) async throws {
    let scenario = Self.tasks([2, 3], Log())
    let count = try #require(await exploreAll(preemptions: bound, scenario))
    let issues = await recordedIssues {
      #expect(await exploreAll(preemptions: bound, limit: 10, scenario) == nil)
    }
    let issue = try #require(issues.count == 1 ? issues.first : nil)
    #expect(issue.severity == .warning)
    let text = "\(issue.comments)"
    let words = /searched 10 of about (\d+) schedules/
    let match = try #require(try words.firstMatch(in: text), "\(text)")
    let about = try #require(Int(match.output.1))
    #expect((count / 2...count * 2).contains(about), "\(about) of \(count)")
    let smaller = bound.map { $0 - 1 } ?? 2
    #expect(
      issues.say("use fewer tasks, preemptions: \(smaller), interrupts: false, or higher limits"))
    // A scenario that takes longer than the limit of the search is run at least once.
    let late = await recordedIssues { await exploreAll(timeLimit: .nanoseconds(1), scenario) }
    #expect(late.say("searched 1 of about", "the limits are"))
  }

  @Test("X9: without limits, a search runs every schedule, and a time limit ends a search early")
  func unlimited() async {
    let count = await exploreAll(limit: .max, jobLimit: .max, Self.tasks([1, 1], Log()))
    #expect(count == Self.interruptedSchedules([1, 1]))
    let issues = await recordedIssues {
      await exploreAll(
        limit: .max, timeLimit: .nanoseconds(1), jobLimit: .max, Self.tasks([2, 3], Log()))
    }
    #expect(issues.say("searched 1 of about"))
    let inActors = await recordedIssues {
      await exploreAll(
        stateIsInActors: true, timeLimit: .nanoseconds(1), Self.tasks([2, 3], Log()))
    }
    #expect(inActors.say("use fewer tasks, or higher limits"))
  }

  @Test("X9: a failing schedule is an error, even if a limit ends the search early")
  func incompleteFailure() async {
    let issues = await recordedIssues {
      await exploreAll(limit: 1) {
        let box = Shared(0)
        let tasks = (1...2).map { number in Task { box.value = number } }
        for task in tasks { await task.value }
        try hold(box.value == 2, "another order")
      }
    }
    #expect(issues.say("another order") && issues.contains { $0.severity == .error })
  }

  @Test(
    "X9: a search fails if a run does not offer a choice that an earlier run has offered",
    arguments: ["a delay", "a fault", "more tasks"])
  func diverging(_ first: String) async {
    let isLoaded = Shared(false)
    let issues = await recordedIssues {
      let count = await exploreAll(interrupts: false) {
        @Sendable func pair() async {
          let tasks = (0..<2).map { _ in Task {} }
          for task in tasks { await task.value }
        }
        // Only the first run of the search has this part.
        let part = isLoaded.mutex.withLock { isLoaded in isLoaded ? "" : first }
        isLoaded.value = true
        if part == "a delay" { for _ in 0..<3 { await Task.yield() } }
        if part == "a fault" { _ = fault("no connection") }
        await pair()
        if part == "more tasks" { await pair() }
      }
      #expect(count == nil)
    }
    #expect(issues.say("exploreAll: took a different path"))
  }

  @Test("X9: a failing schedule is reported with its lanes")
  func failing() async {
    let issues = await recordedIssues {
      let count = await exploreAll(preemptions: 1) {
        let account = Account()
        let tasks = (0..<2).map { _ in Task { await account.withdraw(80) } }
        for task in tasks { await task.value }
        #expect(await account.balance >= 0)
      }
      #expect(count == nil)
    }
    #expect(
      issues.say("exploreAll: schedule", "recorded an issue", "forced switch", " 1 scenario\n"))
    // The runs of a search have no seed that could replay them.
    #expect(!issues.say("seed"))
  }
}
