@testable import AsyncOptical

/// Callers that share one message of an exclusive id.
@Suite struct SharedTests {
  /// An opticle with messages that wait at a gate, and a log of their outcomes.
  private struct Story: Sendable {
    let worker = Onsite()
    let gate = Gate()
    let said = Log<String>()

    func request(_ id: Int) -> Onsite.Request {
      Onsite.Request(id: id, policy: .exclusive("load")) { [gate] _ in await gate.wait() }
    }

    /// Starts a task that performs a message.
    func perform(_ id: Int) -> Task<Void, Never> {
      Task(executorPreference: Exploration.executor) {
        said.append("\(id) \(await worker.perform(request(id)).words)")
      }
    }

    func check(_ expected: [String], started: [Int], state: [Int]) throws {
      try hold(said.all.sorted() == expected, "\(said.all)")
      try hold(worker.started.all == started, "started \(worker.started.all)")
      try hold(worker.state == state, "\(worker.state)")
      try hold(
        worker.desk.unfinishedCount == 0, "\(worker.desk.unfinishedCount) messages are unfinished")
      try hold(worker.desk.lanes.isEmpty, "a lane was not removed")
    }
  }

  @Test(
    "O16: a caller whose exclusive id is busy gets the outcome of the message in flight")
  func joins() async {
    await exploreContract(seeds: 1_000, every: .scheduleWithPreemptions(1)) {
      let story = Story()
      let first = story.perform(1)
      await untilIdle()
      let second = story.perform(2)
      await untilIdle()
      try hold(story.said.all.isEmpty, "\(story.said.all) before the end")
      story.gate.open()
      for task in [first, second] { await task.value }
      try story.check(["1 carriedOut", "2 joined carriedOut"], started: [1], state: [1])
    }
  }

  /// An opticle that shows a number while it waits for a service that ignores cancellation.
  private actor Slow: Opticle {
    let knot = Knot<[Int]>([])
    let gate = Gate()
    func dispatch(_ request: Int) async {
      await commit(from: request, expecting: request) { [gate] in await gate.wait() }
    }
    nonisolated func policy(for request: Int) -> DispatchPolicy { .exclusive("load") }
    func mutate(_ state: inout [Int], response: Int) {
      if !state.contains(response) { state.append(response) }
    }
    func recover(_ state: inout [Int], request: Int, error: any Error) {}
  }

  @Test(
    "O15, O16: cancelling the last caller removes the pending change, even while work continues"
  )
  func withdrawnWithTheLastCaller() async {
    await exploreContract(seeds: 200, allowing: [.noChoice]) {
      let slow = Slow()
      let callers = (1...2).map { number in Task { await slow.perform(number) } }
      await untilIdle()
      try hold(slow.state.count == 1, "\(slow.state) is shown")
      callers[0].cancel()
      await untilIdle()
      try hold(slow.state.count == 1, "\(slow.state) is shown while one caller waits")
      callers[1].cancel()
      await untilIdle()
      try hold(slow.state.isEmpty, "\(slow.state) is still shown")
      slow.gate.open()
      for caller in callers { _ = await caller.value }
      await untilIdle()
      try hold(slow.state.isEmpty, "\(slow.state) came back")
    }
  }

  @Test(
    "O16: a message is cancelled when its last caller is cancelled, and not before",
    arguments: [[0], [1], [0, 1], [1, 0]])
  func cancelled(order: [Int]) async {
    await exploreContract(seeds: 1_000, every: .scheduleWithPreemptions(1)) {
      let story = Story()
      var tasks = [story.perform(1)]
      await untilIdle()
      tasks.append(story.perform(2))
      await untilIdle()
      for index in order {
        tasks[index].cancel()
        await untilIdle()
      }
      let isCancelled = order.count == 2
      // A cancelled caller does not wait for the others. When the last caller is cancelled, the message ends.
      try hold(story.said.all.count == order.count, "\(story.said.all) before the end")
      if isCancelled {
        // The id is free immediately, even while the cancelled handler is still running.
        tasks.append(story.perform(3))
        await untilIdle()
        try hold(story.worker.started.all == [1, 3], "started \(story.worker.started.all)")
      }
      story.gate.open()
      for task in tasks { await task.value }
      await untilIdle()
      if isCancelled {
        let ended =
          order == [0, 1]
          ? ["1 callerCancelled", "2 joined superseded"] : ["1 superseded", "2 callerCancelled"]
        try story.check(ended + ["3 carriedOut"], started: [1, 3], state: [3])
      } else {
        let ended =
          order == [0]
          ? ["1 callerCancelled", "2 joined carriedOut"] : ["1 carriedOut", "2 callerCancelled"]
        try story.check(ended, started: [1], state: [1])
      }
    }
  }

  @Test(
    "O16: a cancelled caller does not cancel its message if a call to send joined or started it",
    arguments: [true, false])
  func sent(isFirst: Bool) async {
    await exploreContract(seeds: 1_000) {
      let story = Story()
      if isFirst { story.worker.send(story.request(0)) }
      await untilIdle()
      let caller = story.perform(1)
      await untilIdle()
      if !isFirst { story.worker.send(story.request(0)) }
      await untilIdle()
      caller.cancel()
      await caller.value
      story.gate.open()
      await untilIdle()
      let id = isFirst ? 0 : 1
      try story.check(["1 callerCancelled"], started: [id], state: [id])
    }
  }

  @Test(
    "O16: a caller that is cancelled before its message is handled starts nothing, and does not cancel other messages"
  )
  func cancelledBefore() async {
    await exploreContract(seeds: 1_000) {
      let (alone, beside) = (Story(), Story())
      beside.worker.send(beside.request(0))
      await untilIdle()
      let tasks = [alone.perform(1), beside.perform(1)]
      for task in tasks { task.cancel() }
      await untilIdle()
      for story in [alone, beside] { story.gate.open() }
      for task in tasks { await task.value }
      await untilIdle()
      let joined = beside.said.all == ["1 callerCancelled"]
      try beside.check([joined ? "1 callerCancelled" : "1 dropped"], started: [0], state: [0])
      let began = alone.worker.started.all == [1]
      try alone.check([began ? "1 superseded" : "1 dropped"], started: began ? [1] : [], state: [])
    }
  }

  @Test("O16: a message that has not started when its caller is cancelled never starts")
  func cancelledBeforeTaken() async {
    var exploration = Exploration(seeds: 2_000)
    exploration.interrupts = true
    await explore(exploration) {
      let story = Story()
      let task = story.perform(1)
      await Task.yield()
      task.cancel()
      let hasStarted = story.worker.started.count > 0
      sometimes("the message was not taken", !hasStarted)
      sometimes("the message was taken", hasStarted)
      story.gate.open()
      await task.value
      await untilIdle()
      try hold(story.worker.started.count == (hasStarted ? 1 : 0), "the message started")
    }
  }

  @Test(
    "O16: callers that arrive and are cancelled in any order get an outcome, and no work is lost")
  func crowd() async {
    await exploreContract(seeds: 2_000) {
      let (story, faithful) = (Story(), 2)
      var tasks: [Task<Void, Never>] = []
      for id in 1...3 {
        tasks.append(story.perform(id))
        await Task.yield()
        if id != faithful { tasks[id - 1].cancel() }
      }
      await untilIdle()
      story.gate.open()
      for task in tasks { await task.value }
      await untilIdle()
      let outcome = story.said.all.first { $0.hasPrefix("\(faithful) ") }
      try hold(outcome?.hasSuffix("carriedOut") == true, "\(story.said.all)")
      try hold(story.said.all.count == 3, "\(story.said.all)")
      try hold(story.worker.state.count == 1, "\(story.worker.state)")
      try hold(story.worker.desk.lanes.isEmpty, "a lane was not removed")
    }
  }

  @Test(
    "O16, O3: cancelling the id or the bag ends a shared message for all of its callers",
    arguments: [true, false])
  func cancelledForAll(byID: Bool) async {
    await exploreContract(seeds: 500) {
      let story = Story()
      let tasks = [story.perform(1), story.perform(2)]
      await untilIdle()
      if byID { story.worker.cancel("load") } else { story.worker.knot.bag.cancel() }
      await untilIdle()
      let third = story.perform(3)
      await untilIdle()
      story.gate.open()
      for task in tasks + [third] { await task.value }
      await untilIdle()
      try hold(story.said.all.contains("3 carriedOut"), "\(story.said.all)")
      try hold(story.said.all.count { $0.hasSuffix("superseded") } == 2, "\(story.said.all)")
      try hold(story.worker.state == [3], "\(story.worker.state)")
    }
  }

  @Test(
    "O14: under a concurrent, serial or latest policy, a cancelled caller still waits for its message, which continues"
  )
  func otherPolicies() async {
    await exploreContract(seeds: 500) {
      let (worker, gate, said) = (Onsite(), Gate(), Log<DispatchOutcome>())
      let policies: [DispatchPolicy] = [.concurrent, .serial(1), .latest(1)]
      let tasks = policies.enumerated().map { id, policy in
        Task(executorPreference: Exploration.executor) {
          said.append(
            await worker.perform(.init(id: id, policy: policy) { _ in await gate.wait() }))
        }
      }
      await untilIdle()
      for task in tasks { task.cancel() }
      await untilIdle()
      try hold(said.all.isEmpty, "\(said.all)")
      gate.open()
      for task in tasks { await task.value }
      try hold(Set(worker.state) == [0, 1, 2], "\(worker.state)")
      try hold(said.all == [.carriedOut, .carriedOut, .carriedOut], "\(said.all)")
    }
  }
}
