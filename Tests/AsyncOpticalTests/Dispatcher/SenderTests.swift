@testable import AsyncOptical

/// The priority that a message gets from its sender, and the task-local values that it does not get.
@Suite(.timeLimit(.minutes(30))) struct SenderTests {
  private enum Name { @TaskLocal static var current = "none" }

  @Test("F3: a request does not see a sender's task-local values")
  func locals() async {
    await exploreContract(seeds: 1_000) {
      let (worker, seen) = (Worker(), Log<String>())
      await withDiscardingTaskGroup { group in
        for name in ["alice", "bob"] {
          group.addTask {
            Name.$current.withValue(name) {
              worker.send(1) { seen.append(Name.current) }
              worker.send(2, .latest(name)) {
                await Task.yield()
                seen.append(Name.current)
              }
              worker.send(3, .debounced(name, for: .zero)) { seen.append(Name.current) }
            }
          }
        }
      }
      await untilIdle()
      try hold(seen.all.count >= 4 && Set(seen.all) == ["none"], "\(seen.all)")
    }
  }

  /// An executor that keeps the jobs of an actor until a test runs them, oldest first.
  private final class Held: SerialExecutor {
    private let jobs = Mutex<[UnownedJob]>([])

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      jobs.withLock { $0.append(job) }
    }

    func run() {
      while let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
        job.runSynchronously(on: asUnownedSerialExecutor())
      }
    }
  }

  /// An opticle that logs the priority at which it carries out each request.
  private actor Busy: Opticle {
    let knot = Knot(0)
    let priorities = Log<TaskPriority>()
    let gate = Gate()
    let executor = Held()
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    func dispatch(_ request: Int) async {
      priorities.append(Task.currentPriority)
      if request >= 10 { await gate.wait() }
    }
    /// Requests 10 and above are serial, and wait for the gate.
    nonisolated func policy(for request: Int) -> DispatchPolicy {
      request >= 10 ? .serial(0) : .concurrent
    }
    func mutate(_ state: inout Int, response: Never) {}
    func recover(_ state: inout Int, request: Int, error: any Error) {}

    nonisolated func runToEnd() async {
      while desk.unfinishedCount > 0 {
        executor.run()
        await Task.yield()
      }
    }
  }

  @Test(
    "F2, M1: a message runs at least at its priority, even if the previous message's priority is close"
  )
  func closePriorities() async {
    let values: [UInt8] = [1, 2, 3, 4, 20, 21, 22, 23, 24, 33]
    for (first, second) in values.flatMap({ first in values.map { (first, $0) } }) {
      let busy = Busy()
      for value in [first, second] {
        await Task.detached(priority: TaskPriority(rawValue: value)) { busy.send(0) }.value
      }
      await busy.runToEnd()
      let priorities = busy.priorities.all.map(\.rawValue)
      #expect(priorities.count == 2, "\(first), then \(second)")
      #expect(priorities.last.map { $0 >= second } == true, "\(priorities) for \(second)")
    }
  }

  @Test("F2: a serial request that waited runs at least at its sender's priority")
  func serial() async {
    let busy = Busy()
    await Task.detached(priority: .low) { busy.send(10) }.value
    while busy.priorities.all.isEmpty {
      busy.executor.run()
      await Task.yield()
    }
    await Task.detached(priority: .high) { busy.send(11) }.value
    while busy.desk.mailbox.elsewhere.load(ordering: .acquiring) == 0 {
      busy.executor.run()
      await Task.yield()
    }
    busy.gate.open()
    await busy.runToEnd()
    #expect(busy.priorities.all.count == 2)
    #expect(busy.priorities.all.last.map { $0 >= .high } == true, "\(busy.priorities.all)")
  }

  @Test(
    "F2: with alternating priorities, a send queues a runner only if all queued ones are less urgent"
  )
  func alternating() async {
    let busy = Busy()
    for _ in 0..<100 {
      for priority in [TaskPriority.utility, .high, .medium] {
        await Task.detached(priority: priority) { busy.send(0) }.value
      }
    }
    #expect(busy.knot.bag.count <= 2)
    await busy.runToEnd()
    #expect(busy.priorities.all.count == 300)
  }

  @Test("F1: the relay of messages yields while more messages wait")
  func fair() async {
    func jobs(_ count: Int) async -> Int {
      await Exploration(seeds: 1).run(seed: 0) {
        let worker = Worker()
        for id in 0..<count { worker.send(id) }
        while worker.state.done.count < count { await untilIdle() }
      }.trace.jobs
    }
    let (few, many) = (await jobs(8), await jobs(1_008))
    #expect(many - few >= 1_000 / 32, "\(few) and \(many) jobs")
  }
}
