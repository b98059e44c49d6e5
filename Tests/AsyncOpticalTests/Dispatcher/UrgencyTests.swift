import Foundation

@testable import AsyncOptical

/// Urgent callers that are waiting for messages of less urgent senders, and messages that are waiting for a clock.
@Suite(.timeLimit(.minutes(30))) struct UrgencyTests {
  /// An opticle that logs the priority at which it carries out each request.
  private actor Holder: Opticle {
    let knot = Knot<[Int]>([])
    let clock = TestClock()
    let priorities = Log<UInt8>()
    let kind: Lane.Kind

    init(_ kind: Lane.Kind) { self.kind = kind }

    nonisolated func policy(for request: Int) -> DispatchPolicy { kind.policy("one") }
    func dispatch(_ request: Int) async {
      priorities.append(Task.currentPriority.rawValue)
      commit(request)
    }
    func mutate(_ state: inout [Int], response: Int) { state.append(response) }
    func recover(_ state: inout [Int], request: Int, error: any Error) {}

    /// The number of messages that are waiting for the clock.
    nonisolated var waitingCount: Int { desk.mailbox.elsewhere.load(ordering: .acquiring) }

    /// Sends from a task with the given priority and waits until `left` messages are unfinished.
    nonisolated func send(_ request: Int, at priority: UInt8, left: Int) async {
      await Task.detached(priority: TaskPriority(rawValue: priority)) { self.send(request) }.value
      await waitWhile(desk.unfinishedCount != left)
    }
  }

  @Test("F2: a throttled request that waited runs at least at its sender's priority")
  func throttled() async {
    let holder = Holder(.throttled)
    for (request, priority, left) in [(1, UInt8(17), 0), (2, 17, 1), (3, 33, 1)] {
      await holder.send(request, at: priority, left: left)
    }
    await holder.clock.advance(by: .seconds(1))
    await waitWhile(holder.state != [1, 3])
    #expect(holder.priorities.all.last.map { $0 >= 33 } == true, "\(holder.priorities.all)")
  }

  @Test(
    "F2: a request that waits for a clock keeps its sender's priority, not the clock's",
    arguments: [Lane.Kind.debounced, .throttled])
  func timed(kind: Lane.Kind) async {
    let (holder, areSent) = (Holder(kind), Shared(false))
    // The task is not awaited, because awaiting it would raise the sender's priority.
    Task.detached(priority: .background) {
      for request in 1...2 { holder.send(request) }
      areSent.value = true
    }
    await waitWhile(!areSent.value || holder.desk.mailbox.count > 0 || holder.waitingCount == 0)
    await holder.clock.advance(by: .seconds(1))
    await waitWhile(holder.state.last != 2)
    #expect(holder.priorities.all.allSatisfy { $0 == 9 }, "\(holder.priorities.all)")
  }

  /// An opticle that finishes `.work` only after an urgent caller has raised its priority.
  private actor Raised: Opticle {
    enum Request: Sendable { case work, also, chain }

    let knot = Knot<[Request]>([])
    let clock = TestClock()
    let kind: Lane.Kind
    let started = Log<Request>()

    init(_ kind: Lane.Kind) { self.kind = kind }

    nonisolated func policy(for request: Request) -> DispatchPolicy {
      request == .chain ? .exclusive("chain") : kind.policy("work")
    }
    func dispatch(_ request: Request) async {
      started.append(request)
      switch request {
      case .work: await waitWhile(Task.currentPriority < .high)
      case .chain: await perform(.also)
      case .also: break
      }
      commit(request)
    }
    func mutate(_ state: inout [Request], response: Request) { state.append(response) }
    func recover(_ state: inout [Request], request: Request, error: any Error) {}
  }

  private func perform(
    _ request: Raised.Request, at priority: TaskPriority, on holder: Raised
  ) -> Task<DispatchOutcome, Never> {
    Task.detached(priority: priority) { await holder.perform(request) }
  }

  @Test(
    "F2: an urgent caller raises the message in flight that it joins or waits behind",
    arguments: [Lane.Kind.exclusive, .serial, .throttled])
  func raised(kind: Lane.Kind) async {
    let holder = Raised(kind)
    let slow = perform(.work, at: .background, on: holder)
    await waitWhile(holder.started.all.isEmpty)
    let urgent = perform(.also, at: .high, on: holder)
    #expect(await slow.value == .carriedOut)
    while holder.state.last != .also, kind == .throttled {
      await holder.clock.advance(by: .seconds(1))
    }
    #expect(await urgent.value == (kind == .exclusive ? .joined(.carriedOut) : .carriedOut))
  }

  @Test(
    "F2: a message that waits for a clock takes on the raised priority of its caller",
    arguments: [Lane.Kind.debounced, .throttled])
  func raisedWhileWaiting(kind: Lane.Kind) async {
    let holder = Holder(kind)
    if kind == .throttled { await holder.send(1, at: TaskPriority.background.rawValue, left: 0) }
    let caller = Task.detached(priority: .background) { await holder.perform(2) }
    await waitWhile(holder.waitingCount == 0)
    caller.raisePriority(to: .high)
    await waitWhile(holder.desk.mailbox.count > 0)
    await holder.clock.advance(by: .seconds(1))
    await waitWhile(holder.state.last != 2)
    #expect(holder.priorities.all.last.map { $0 >= TaskPriority.high.rawValue } == true)
  }

  @Test("F2: a task is raised if its runner was raised before the task was attached")
  func raisedBeforeItsTask() async {
    let (runner, bag, gate, priorities) = (
      Runner(at: .background), TaskBag(), Gate(), Log<TaskPriority>()
    )
    runner.raise(to: TaskPriority.high.rawValue)
    let (entry, task) = bag.addApart(priority: .background) {
      await gate.wait()
      priorities.append(Task.currentPriority)
    }
    runner.attach(entry, task)
    gate.open()
    await waitWhile(priorities.all.isEmpty)
    #expect(priorities.all == [.high])
  }

  @Test("F2: an operation with a timeout is raised with its message")
  func raisedWithTimeout() async {
    let worker = Worker()
    let isRunning = Log<Bool>()
    let slow = Task.detached(priority: .background) {
      await worker.perform(
        Worker.Request(id: 1, policy: .serial("work")) {
          try await worker.withTimeout(.seconds(600)) {
            isRunning.append(true)
            await waitWhile(Task.currentPriority < .high)
          }
        })
    }
    await waitWhile(isRunning.all.isEmpty)
    let urgent = Task.detached(priority: .high) {
      await worker.perform(Worker.Request(id: 2, policy: .serial("work")))
    }
    #expect(await slow.value == .carriedOut)
    #expect(await urgent.value == .carriedOut)
  }

  /// A clock that a chosen task can read only after the priority of the task was raised.
  private struct PatientClock: Clock {
    /// The hash value of the chosen task; `nil` before it is chosen and after it has read the clock.
    let reader: Shared<Int?>
    static var task: Int? { withUnsafeCurrentTask { $0?.hashValue } }
    var now: ContinuousClock.Instant {
      if let reader = reader.value, reader == Self.task {
        while Task.currentPriority < .high { sched_yield() }
        self.reader.value = nil
      }
      return .now
    }
    var minimumResolution: Duration { .zero }
    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
      try await ContinuousClock().sleep(until: deadline, tolerance: tolerance)
    }
  }

  @Test(
    "F2: an operation with a timeout is raised if its message is raised as the operation begins"
  )
  func raisedAsTheTimeoutBegins() async {
    let reader = Shared(Int?.none)
    let worker = Worker(clock: PatientClock(reader: reader))
    let slow = Task.detached(priority: .background) {
      await worker.perform(
        Worker.Request(id: 1, policy: .serial("work")) {
          // The first use of the clock reads the time before the operation starts; the next use reads it afterward.
          try await worker.withTimeout(.seconds(600)) {}
          reader.value = PatientClock.task
          // The end of the time limit is computed after the operation has started.
          try await worker.withTimeout(.seconds(600)) {
            await waitWhile(Task.currentPriority < .high)
          }
        })
    }
    await waitWhile(reader.value == nil)
    let urgent = Task.detached(priority: .high) {
      await worker.perform(Worker.Request(id: 2, policy: .serial("work")))
    }
    for task in [slow, urgent] { #expect(await task.value == .carriedOut) }
    #expect(reader.value == nil, "the operation started before the message was raised")
  }

  @Test("F2: an operation with a timeout begins at the priority to which its message was raised")
  func raisedBeforeTimeout() async {
    let (worker, priorities) = (Worker(), Log<TaskPriority>())
    let slow = Task.detached(priority: .background) {
      await worker.perform(
        Worker.Request(id: 1, policy: .serial("work")) {
          priorities.append(Task.currentPriority)
          await waitWhile(Task.currentPriority < .high)
          try await worker.withTimeout(.seconds(600)) { priorities.append(Task.currentPriority) }
        })
    }
    await waitWhile(priorities.all.isEmpty)
    let urgent = Task.detached(priority: .high) {
      await worker.perform(Worker.Request(id: 2, policy: .serial("work")))
    }
    #expect(await slow.value == .carriedOut)
    #expect(await urgent.value == .carriedOut)
    #expect(priorities.all == [.background, .high])
  }

  @Test("F2: a raised message also raises a message that it performs on another holder")
  func raisedOnAnotherHolder() async {
    let (worker, other) = (Worker(), Worker())
    let slow = Task.detached(priority: .background) {
      await worker.perform(
        Worker.Request(id: 1, policy: .serial("work")) {
          await other.perform(
            Worker.Request(id: 2, policy: .serial("other")) {
              await waitWhile(Task.currentPriority < .high)
            })
        })
    }
    await waitWhile(other.started.all.isEmpty)
    let urgent = Task.detached(priority: .high) {
      await worker.perform(Worker.Request(id: 3, policy: .serial("work")))
    }
    #expect(await slow.value == .carriedOut)
    #expect(await urgent.value == .carriedOut)
    #expect(other.state.done == [2])
  }

  @Test("F2: a raised message also raises the messages it waits for, across handlers")
  func chain() async {
    let holder = Raised(.serial)
    let tasks = [Raised.Request.work, .chain].map { request in
      Task.detached(priority: .background) {
        if request == .chain { await waitWhile(holder.started.all.isEmpty) }
        return await holder.perform(request)
      }
    }
    await waitWhile(holder.desk.mailbox.elsewhere.load(ordering: .acquiring) == 0)
    let urgent = perform(.chain, at: .high, on: holder)
    #expect(await urgent.value == .joined(.carriedOut))
    for task in tasks { #expect(await task.value == .carriedOut) }
    #expect(holder.state == [.work, .also, .chain])
  }
}
