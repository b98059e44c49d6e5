import Dispatch
import Foundation

/// X14 and X15: every verdict is reported, regardless of the test library and of how the test ends.
@Suite struct VerdictTests {
  @Test(
    "X9: a known issue that matches only failures does not match the warning of an unfinished search"
  )
  func knownIssue() async {
    let issues = await recordedIssues {
      await withKnownIssue {
        await exploreAll(limit: 1) { await withTaskGroup { group in group.addTask {} } }
      } matching: {
        $0.isFailure
      }
    }
    #expect(issues.say("searched 1 of about") && issues.say("Known issue was not recorded"))
  }

  #if os(Linux)
    @Test("X15: XCTest reports an error, an assertion and a stall, with seed and lanes")
    func xctest() throws {
      let class_ = "ExploreTestingTests.XCTestVictim"
      for (name, what) in [
        ("testThrows", "threw Overdrawn()"), ("testAsserts", "recorded an issue"),
        ("testStalls", "stalled"),
      ] {
        let session = try TestProcess().run("\(class_)/\(name)", isXCTest: true)
        #expect(!session.hasPassed)
        #expect(session.text.contains("error: XCTestVictim.\(name) : failed - explore: seed "))
        #expect(session.text.contains(what))
        #expect(session.text.contains("1   *"))
        // The assertion is reported once, for its first failure, and not in each run that shrinks the schedule.
        let count = session.text.components(separatedBy: "overdrawn\n").count - 1
        #expect(count == (name == "testAsserts" ? 1 : 0))
      }
    }

    @Test(
      "X15: a warning is shown once, with every event-stream version that an editor requests",
      arguments: [[], ["--event-stream-version", "0"], ["--event-stream-version", "6.3"]])
    func warning(_ version: [String]) throws {
      let process = try TestProcess()
      let session = try process.run(
        "Searched", options: version + ["--event-stream-output-path", process.path + "/events"])
      #expect(session.hasPassed)
      let warnings = session.text.components(separatedBy: "exploreAll: searched 1 of about")
      #expect(warnings.count == 2, "\(session.text)")
    }

    @Test("X14: a trap in an XCTest test names the test")
    func trapInXCTest() throws {
      let session = try TestProcess()
        .run("ExploreTestingTests.XCTestVictim/testTraps", isXCTest: true)
      #expect(
        session.text.contains("explore: in XCTestVictim.testTraps, run 0 "), "\(session.text)")
    }

    @Test("X15: a violation that a StrictSurface finds fails an XCTest test")
    func surface() throws {
      let session = try TestProcess()
        .run("ExploreTestingTests.XCTestVictim/testSurface", isXCTest: true)
      #expect(!session.hasPassed && session.text.contains("failed - StrictSurface: "))
    }

    @Test("X3: an assertion that fails in an exploration does not fail the next exploration")
    func assertsBefore() throws {
      let session = try TestProcess()
        .run("ExploreTestingTests.XCTestVictim/testAssertsBefore", isXCTest: true)
      #expect(session.text.contains("in the first exploration"))
      #expect(!session.text.contains("recorded an issue"), "\(session.text)")
    }

    @Test(
      "X14: a trap prints the number of its run, and a replay shows the lanes up to the trap",
      arguments: [
        ("isOverdrawn", "hops to Account"), ("isSearched", "hops to Account"),
        ("isCancelled", "hops to Account"), ("isInTheMiddle", "in the middle of"),
        ("overflows", "hops to Account"),
      ], TestProcess.CrashHandler.allCases)
    func trap(_ test: (name: String, step: String), _ handler: TestProcess.CrashHandler) throws {
      let process = try TestProcess()
      let session = try process.run("Trapped/\(test.name)", handler: handler)
      #expect(!session.hasPassed)
      #expect(session.text.contains("Trapped/\(test.name)(), run "))
      #expect(session.text.contains("ended the process by signal"))
      #expect(session.text.contains("Backtrace took") == (handler == .swifts))
      let seed = try #require(session.seed)
      let again = try process.run("Trapped/\(test.name)", ["EXPLORE_SEED": seed]).text
      #expect(again.contains("ended the process by signal"))
      #expect(again.contains(test.step))
    }

    @Test(
      "X14: a run that ends the process prints its number and never ends as a success",
      arguments: [
        ("exits", "exit(0)"), ("leaves", "_exit(3)"), ("raises", "signal \(SIGTRAP)"),
        ("faults", "signal \(SIGSEGV)"), ("writesToNobody", "signal \(SIGPIPE)"),
      ])
    func exits(_ test: (name: String, call: String)) throws {
      let process = try TestProcess()
      let session = try process.run("Left/\(test.name)")
      #expect(!session.hasPassed)
      #expect(session.text.contains("Left/\(test.name)(), run "))
      #expect(session.text.contains("ended the process by \(test.call), after"))
    }

    @Test("X14, X15: neither a thread that calls exit nor a signal from outside ends as a success")
    func exitsOnAThread() throws {
      let process = try TestProcess()
      #expect(try !process.run("Left/isKilled").hasPassed)
      #expect(try process.run("Left/forks").hasPassed, "a child process may exit")
      let session = try process.run("Left/exitsOnAThread")
      #expect(!session.hasPassed)
      #expect(session.text.contains("exit(0) was called outside the runs"), "\(session.text)")
    }

    @Test("X22: a call of exit in a run, or a broken pipe, fails only its own test")
    func survivedExits() throws {
      let process = try TestProcess()
      let survived = try process.run("Left/survives")
      #expect(!survived.hasPassed && survived.text.contains("Test survives() failed"))
      #expect(survived.text.contains(/seed \d+ ended its process: exit\(0\);/), "\(survived.text)")
      let pipe = try process.run("Left/survivesABrokenPipe")
      #expect(!pipe.hasPassed && pipe.text.contains("Test survivesABrokenPipe() failed"))
    }

    @Test(
      "X22: a trap fails only its own test, and the report has the shortest schedule and lanes")
    func survived() throws {
      let process = try TestProcess()
      let session = try process.run("Survived")
      #expect(!session.hasPassed)
      #expect(!session.text.contains("ended the process by signal"), "\(session.text)")
      #expect(session.text.contains("Test isRight() passed"), "\(session.text)")
      #expect(session.text.contains("Test isOverdrawn() failed"), "\(session.text)")
      #expect(session.text.contains(/seed \d+ ended its process: signal \d+, .*overdrawn/))
      #expect(
        session.text.contains(
          "The shortest schedule that ends the process has 1 forced switch (>):"))
      #expect(
        session.text.contains(
          "The shortest schedule that ends the process has 2 faults or other choices and no forced switch:"
        ))
      #expect(session.text.contains("hops to Account"))
      // The first exploration of the test passes. The second one traps, and the test then continues.
      #expect(session.text.contains("behind the trap"))
      let file = try #require(session.file)
      let again = try process.run("Survived/isOverdrawn", ["EXPLORE_REPLAY": file]).text
      #expect(again.contains("ended the process by signal"))
    }

    @Test("X22: exploreAll reports that EXPLORE_TRAPS applies only to explore")
    func notSurvived() throws {
      let session = try TestProcess().run("Trapped/isSearched", ["EXPLORE_TRAPS": "1"])
      #expect(session.text.contains("EXPLORE_TRAPS apply only to 'explore'"), "\(session.text)")
    }

    @Test(
      "X14: a continuation that is resumed twice, checked or unsafe, is reported with the seed",
      arguments: TestProcess.CrashHandler.allCases)
    func resumedTwice(_ handler: TestProcess.CrashHandler) throws {
      for (name, words) in [
        (
          "unsafe",
          ["a continuation was resumed a second time", "resumes waiter a second time", "seed"]
        ),
        ("checked", ["tried to resume its continuation more than once", "EXPLORE_SEED="]),
      ] {
        let session = try TestProcess().run("ResumedTwice/\(name)", handler: handler)
        #expect(!session.hasPassed)
        for part in words { #expect(session.text.contains(part), "\(session.text)") }
        // The message names a line of the test, not of the kit.
        #expect(!session.text.contains("at Explorer.swift"))
      }
    }

    @Test("X14: a continuation that is resumed once, by any task, is not misuse")
    func resumedOnce() async {
      await explore(seeds: 200) {
        await withTaskGroup(of: Void.self) { group in
          for _ in 0..<3 {
            group.addTask {
              for _ in 0..<3 {
                await withUnsafeContinuation { continuation in Task { continuation.resume() } }
                await withUnsafeContinuation { $0.resume() }
                await Task.yield()
              }
            }
          }
        }
      }
    }

    @Test("X14: a task outside the run may wait for one continuation after another")
    func resumedOutside() async {
      let (executor, waiting) = (OtherThread(), Shared<UnsafeContinuation<Void, Never>?>(nil))
      let ends = Counter()
      Task(executorPreference: executor) {
        for _ in 0..<3 {
          await withUnsafeContinuation { waiting.value = $0 }
          ends.increment()
        }
      }
      executor.run()
      await explore(seeds: 1, strategy: .uniform, allowing: [.noChoice]) {
        for _ in 0..<3 {
          waiting.mutex.withLock { $0.take() }?.resume()
          executor.run()
        }
      }
      #expect(ends.value == 3)
    }

    @Test(
      "X15: a failure outside any test ends the process",
      arguments: TestProcess.CrashHandler.allCases)
    func noTest(_ handler: TestProcess.CrashHandler) throws {
      let session = try TestProcess()
        .run(
          "ExploreTestingTests.XCTestOutside", isXCTest: true, handler: handler,
          ["KIT_OUTSIDE": "1"])
      #expect(!session.hasPassed)
      #expect(session.text.contains("no running test can report this: explore: seed 0 threw"))
    }

    @Test(
      "X14: a job that blocks or spins is reported with its seed and its stack",
      arguments: zip(["blocks", "spins"], TestProcess.CrashHandler.allCases))
    func blocked(_ test: String, _ handler: TestProcess.CrashHandler) throws {
      let session = try TestProcess().run("Blocked/\(test)", handler: handler)
      #expect(!session.hasPassed)
      #expect(session.text.contains("Blocked/\(test)(), run 0 is stuck"))
      #expect(
        // Without debug information, a closure has no line number.
        session.text.contains(
          /closure (at VerdictTests\.swift:\d+|#1 in Blocked\.\w+) blocks its thread/),
        "\(session.text)")
    }

    @Test(
      "X14: a long run, or a run with a long job, is not reported as blocked",
      arguments: ["isLong", "hasALongJob"])
    func busy(_ test: String) throws {
      let session = try TestProcess().run("Busy/\(test)")
      #expect(session.hasPassed, "\(session.text)")
    }
  #endif
}

/// Keeps a job, and runs it on a new thread when a test calls `run()`.
private final class OtherThread: TaskExecutor {
  private let job = Shared<UnownedJob?>(nil)

  func enqueue(_ job: consuming ExecutorJob) { self.job.value = UnownedJob(job) }

  func run() {
    let end = DispatchSemaphore(value: 0)
    Thread { [self] in
      job.mutex.withLock { $0.take() }?.runSynchronously(on: asUnownedTaskExecutor())
      end.signal()
    }.start()
    end.wait()
  }
}

// Most of these tests end their process, so each runs in a separate one.

@Suite(.enabled(if: TestProcess.isThis)) struct Searched {
  @Test func isUnfinished() async {
    await exploreAll(limit: 1) { await withTaskGroup { group in group.addTask {} } }
  }
}

@Suite(.enabled(if: TestProcess.isThis)) struct Trapped {
  private static let overdraws: @Sendable () async -> Void = {
    let account = Account()
    let tasks = (0..<2).map { _ in Task { await account.withdraw(80) } }
    for task in tasks { await task.value }
    let balance = await account.balance
    precondition(balance >= 0, "overdrawn")
  }

  @Test func isOverdrawn() async { await explore(seeds: 100, Self.overdraws) }
  @Test func isSearched() async { await exploreAll(Self.overdraws) }
  /// The thread's stack has no room for a signal handler.
  @Test func overflows() async {
    await explore(seeds: 100) {
      let account = Account()
      let task = Task { await account.withdraw(80) }
      if await account.balance < 100 { print(depth(1)) }
      await task.value
    }
  }
  @Test func isCancelled() async { await exploreCancelling(Self.overdraws) }
  /// The trap occurs in the middle of another job, so Swift's handler has to stop more than one thread of the run.
  @Test func isInTheMiddle() async {
    await explore(seeds: 200) {
      let isSet = Shared(false)
      let outer = Task {
        let inner = Task { precondition(isSet.value) }
        isSet.value = true
        await inner.value
      }
      await outer.value
    }
  }
}

/// Overflows the stack.
@inline(never) private func depth(_ number: Int) -> Int { number > 0 ? depth(number + 1) + 1 : 0 }

@Suite(.enabled(if: TestProcess.isThis), .serialized) struct Survived {
  @Test func isOverdrawn() async {
    var exploration = Exploration(seeds: 100)
    exploration.survivesTraps = true
    await explore(exploration) { await withTaskGroup { group in group.addTask {} } }
    await explore(exploration) {
      let account = Account()
      let tasks = (0..<2).map { _ in Task { await account.withdraw(80) } }
      for task in tasks { await task.value }
      let balance = await account.balance
      precondition(balance >= 0, "overdrawn")
    }
    print("behind the trap")
  }

  @Test func losesTwo() async {
    var exploration = Exploration(seeds: 100)
    exploration.survivesTraps = true
    await explore(exploration) {
      var lost = 0
      for _ in 0..<6 where fault("lost letter") { lost += 1 }
      precondition(lost < 2, "too many are lost")
    }
  }

  @Test func isRight() {}
}

@Suite(.enabled(if: TestProcess.isThis)) struct ResumedTwice {
  @Test func unsafe() async {
    await explore(seeds: 100) {
      let log = Log<UnsafeContinuation<Void, Never>>()
      let waiter = Task(name: "waiter") {
        await withUnsafeContinuation { log.append($0) }
        await Task.yield()
      }
      await untilIdle()
      let tasks = (0..<2).map { _ in Task { log.all[0].resume() } }
      for task in tasks { await task.value }
      await waiter.value
    }
  }

  @Test func checked() async {
    await explore(seeds: 100) {
      let log = Log<CheckedContinuation<Void, Never>>()
      let waiter = Task { await withCheckedContinuation { log.append($0) } }
      await untilIdle()
      let tasks = (0..<2).map { _ in Task { log.all[0].resume() } }
      for task in tasks { await task.value }
      await waiter.value
    }
  }
}

@Suite(.enabled(if: TestProcess.isThis)) struct Busy {
  @Test func isLong() async {
    // The run takes longer than one of its jobs may take, which is 5 s.
    let end = DispatchTime.now() + .seconds(6)
    await explore(
      seeds: 1, jobLimit: .max, patience: .milliseconds(100), allowing: [.noChoice]
    ) {
      while DispatchTime.now() < end { await Task.yield() }
    }
  }

  @Test func hasALongJob() async {
    let end = DispatchTime.now() + .seconds(2)
    await explore(seeds: 1, patience: .milliseconds(1), allowing: [.noChoice]) {
      while DispatchTime.now() < end {}
    }
  }
}

@Suite(.enabled(if: TestProcess.isThis)) struct Blocked {
  @Test func blocks() async {
    await explore(seeds: 1, patience: .zero) { DispatchSemaphore(value: 0).wait() }
  }

  @Test func spins() async {
    let counter = Counter()
    await explore(seeds: 1, patience: .milliseconds(20)) { while counter.value >= 0 {} }
  }
}
