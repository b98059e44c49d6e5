import Foundation

#if os(Linux)
  /// X2: code may be interrupted where it creates or resumes a task, or unlocks a lock.
  @Suite struct InterruptionTests {
    /// How code starts or wakes another task.
    ///
    /// The other task checks `isOver`, which is `false` if that task runs before the code that started or woke it continues.
    enum Deed: CaseIterable, Sendable {
      case creation, child, immediate, immediateChild, resumption, cancellation

      func run(_ isOver: Shared<Bool>) async {
        let ask: @Sendable () -> Void = { sometimes("the other task is first", !isOver.value) }
        let waiter = Shared<CheckedContinuation<Void, Never>?>(nil)
        let (stream, end) = AsyncStream.makeStream(of: Void.self)
        var task: Task<Void, Never>?
        switch self {
        case .creation:
          task = Task { ask() }
          isOver.value = true
        case .child:
          await withTaskGroup(of: Void.self) { group in
            group.addTask { ask() }
            isOver.value = true
          }
        case .immediate:
          task = Task.immediate {
            await Task.yield()
            ask()
          }
          isOver.value = true
        case .immediateChild:
          await withTaskGroup(of: Void.self) { group in
            group.addImmediateTask {
              await Task.yield()
              ask()
            }
            isOver.value = true
          }
        case .resumption:
          task = Task {
            await withCheckedContinuation { waiter.value = $0 }
            ask()
          }
          await untilIdle()
          waiter.value?.resume()
          isOver.value = true
        case .cancellation:
          task = Task {
            for await _ in stream {}
            ask()
          }
          await untilIdle()
          task?.cancel()
          isOver.value = true
        }
        await task?.value
        end.finish()
      }
    }

    @Test(
      "X2, X9: a task may run before the code that creates, resumes or cancels it continues",
      arguments: Deed.allCases, [ExplorationStrategy.mixed, .uniform, nil])
    func between(_ deed: Deed, _ strategy: ExplorationStrategy?) async {
      guard let strategy else {
        await exploreAll { await deed.run(Shared(false)) }
        return
      }
      var exploration = Exploration(seeds: 400, strategy: strategy, allowing: [.noChoice])
      exploration.interrupts = strategy == .uniform
      await explore(exploration) { await deed.run(Shared(false)) }
    }

    enum Guard: CaseIterable { case mutex, lock, queue }

    @Test(
      "X2: a task that is created in a critical section may wait for the same mutex, lock or queue",
      arguments: Guard.allCases)
    func underLock(_ kind: Guard) async {
      await explore(seeds: 1_000) {
        let (mutex, lock, queue) = (Shared(()), NSLock(), DispatchQueue(label: "guard"))
        let log = Log<Int>()
        @Sendable func locked<Result: Sendable>(_ body: @Sendable () -> Result) -> Result {
          switch kind {
          case .mutex: mutex.mutex.withLock { _ in body() }
          case .lock: lock.withLock(body)
          case .queue: queue.sync(execute: body)
          }
        }
        let task = locked {
          let task = Task.detached { locked { log.append(2) } }
          log.append(1)
          return task
        }
        await task.value
        #expect(log.all == [1, 2])
      }
    }

    @Test(
      "X2: a critical section may start an immediate task while another task waits for the section's lock"
    )
    func immediateUnderLock() async {
      await explore(seeds: 300) {
        let (lock, log) = (NSLock(), Log<Int>())
        let tasks = lock.withLock {
          let waiting = Task.detached { lock.withLock { log.append(2) } }
          let immediate = Task.immediate { log.append(0) }
          log.append(1)
          return [waiting, immediate]
        }
        for task in tasks { await task.value }
        try hold(log.all == [0, 1, 2], "\(log.all)")
      }
    }

    @Test("X2: two tasks that wait for each other's semaphores and locks both end")
    func semaphore() async {
      await explore(seeds: 1_000) {
        let (first, second) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let log = Shared<[Int]>([])
        let task = Task.detached {
          Self.wait(first)
          log.mutex.withLock { $0.append(2) }
          second.signal()
        }
        log.mutex.withLock { $0.append(1) }
        first.signal()
        await task.value
        Self.wait(second)
        #expect(log.value == [1, 2])
      }
    }

    @Test("X2: a wait with a time limit of a minute succeeds when another task signals or unlocks")
    func timeLimit() async {
      await explore(seeds: 300) {
        let (lock, semaphore) = (NSLock(), DispatchSemaphore(value: 0))
        let task = lock.withLock {
          Task.detached {
            semaphore.signal()
            try hold(Self.passes(lock), "lock(before:) ended early")
          }
        }
        try await task.value
        try hold(Self.passes(semaphore, limit: .seconds(60)), "wait(timeout:) ended early")
      }
    }

    @Test("X2: a wait for a signal or a lock that never comes ends after its time limit")
    func elapsed() async {
      await explore(Exploration(seeds: 3, allowing: [.noChoice])) {
        Exploration.setDate(secondsSince1970: 4_000_000_000)
        try hold(!Self.somethingComes(within: 0.001), "a wait did not end after its time limit")
      }
    }

    /// Waits for a semaphore that nobody signals, then for a locked lock, and returns whether one of the waits succeeds.
    private static func somethingComes(within limit: TimeInterval) -> Bool {
      let (semaphore, lock) = (DispatchSemaphore(value: 0), NSLock())
      return passes(semaphore, limit: .milliseconds(Int(limit * 1_000)))
        || lock.withLock { lock.lock(before: Date() + limit) }
    }

    private static func passes(_ semaphore: DispatchSemaphore, limit: DispatchTimeInterval) -> Bool
    {
      semaphore.wait(timeout: .now() + limit) == .success
    }

    private static func passes(_ lock: NSLock) -> Bool {
      guard lock.lock(before: Date() + 60) else { return false }
      lock.unlock()
      return true
    }

    /// Waits in a synchronous function, because `wait()` is unavailable in asynchronous code.
    private static func wait(_ semaphore: DispatchSemaphore) { semaphore.wait() }

    @Test("X1: a run whose jobs interrupt each other and wait for locks repeats its trace")
    func reproducible() async {
      let scenario: @Sendable () async throws -> Void = {
        let locks = (0..<3).map { _ in Shared(0) }
        await withTaskGroup(of: Void.self) { group in
          for number in 0..<4 {
            group.addTask {
              let (one, other) = (locks[number % 3], locks[(number + 1) % 3])
              let (low, high) = number % 3 < (number + 1) % 3 ? (one, other) : (other, one)
              let tasks = low.mutex.withLock { value in
                value += 1
                return high.mutex.withLock { value in
                  value += 1
                  return (0..<2).map { _ in Task.detached { high.value += low.value } }
                }
              }
              for task in tasks { await task.value }
            }
          }
        }
      }
      for seed in [4, 5, 6, 7, 20, 21, 22, 23] as [UInt64] {
        let first = await Exploration().run(seed: seed, scenario)
        #expect(first.failure == nil)
        for _ in 0..<25 {
          let again = await Exploration().run(seed: seed, scenario)
          #expect(again.trace == first.trace)
        }
      }
    }

    /// Reads and writes a count in two critical sections.
    private final class Counter: @unchecked Sendable {
      private let lock = NSLock()
      private var count = 0
      var value: Int {
        get { lock.withLock { count } }
        set { lock.withLock { count = newValue } }
      }
    }

    @Test("X2: another job may run between two critical sections of a lock")
    func unlocking() async throws {
      let failure = await Exploration(seeds: 1_000).firstFailure {
        let counter = Counter()
        await withTaskGroup(of: Void.self) { group in
          for _ in 0..<2 { group.addTask { counter.value += 1 } }
        }
        try hold(counter.value == 2, "an update is lost")
      }
      guard case .threw? = failure?.reason else {
        Issue.record("\(String(describing: failure))")
        return
      }
    }

    @Test(
      "X5: a failure that needs an interruption is shown with one forced switch, and can be replayed"
    )
    func shrunk() throws {
      let process = try TestProcess()
      let session = try process.run("InterruptedTests/isKept")
      #expect(session.text.contains("The shortest schedule that fails has 1 forced switch (>):"))
      let file = try #require(session.file)
      let again = try process.run("InterruptedTests/isKept", ["EXPLORE_REPLAY": file]).text
      #expect(again.contains("the replayed schedule threw"), "\(again)")
      #expect(!again.contains("diverged"))
    }

    @Test(
      "X5: if two schedules have equally many switches, the one without an interruption is shown")
    func shownWithoutInterruption() async {
      var exploration = Exploration(seeds: 1_000)
      exploration.interrupts = true
      for yields in 1...10 {
        let issues = await recordedIssues { [exploration] in
          await explore(exploration) {
            let steps = Log<Int>()
            let other = Task { steps.append(3) }
            steps.append(1)
            for _ in 0..<yields { await Task.yield() }
            steps.append(2)
            await other.value
            try hold(steps.all == [1, 2, 3], "the other task came first")
          }
        }
        #expect(issues.say("has 1 forced switch") && !issues.say("in the middle of"))
      }
    }

    @Test("X14: a deadlock of two jobs with two locks ends the process, and the seed is printed")
    func deadlock() throws {
      let session = try TestProcess().run("InterruptedTests/locks")
      #expect(!session.hasPassed)
      #expect(session.text.contains("is stuck: one of its jobs blocks its thread"))
      #expect(session.seed != nil)
    }
  }

  // These tests fail, so they run in a separate process.
  @Suite(.enabled(if: TestProcess.isThis)) struct InterruptedTests {
    @Test func isKept() async {
      await explore(seeds: 1_000) {
        try await withThrowingTaskGroup(of: Void.self) { group in
          let isKept = Log<Bool>()
          group.addTask { try hold(!isKept.all.isEmpty, "the task is not kept") }
          isKept.append(true)
          try await group.waitForAll()
        }
      }
    }

    private static func nest(_ lock: NSLock) {
      Task {}
      lock.withLock {}
    }

    @Test func locks() async {
      await explore(seeds: 1_000, patience: .milliseconds(10)) {
        let (left, right) = (NSLock(), NSLock())
        await withTaskGroup(of: Void.self) { group in
          group.addTask { left.withLock { Self.nest(right) } }
          group.addTask { right.withLock { Self.nest(left) } }
        }
      }
    }
  }
#endif
