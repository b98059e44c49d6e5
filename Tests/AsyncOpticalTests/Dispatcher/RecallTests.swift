@testable import AsyncOptical
import Foundation

/// `cancel(id)` immediately reaches every message of the id that was sent before the call, wherever that message is.
@Suite(.timeLimit(.minutes(30))) struct RecallTests {
  @Test(
    "O3: cancel(id) reaches waiting messages that were sent before it, and no later one",
    arguments: Lane.Kind.withID)
  func inTheMailbox(kind: Lane.Kind) async {
    await exploreContract(seeds: 500, allowing: [.noChoice]) {
      let (clock, said) = (TestClock(), Log<DispatchOutcome>())
      let worker = Onsite(clock: clock)
      let policy = kind.policy("a")
      let first = Task(executorPreference: Exploration.executor) {
        await Task.yield()
        said.append(await worker.perform(.init(id: 1, policy: policy) { _ in }))
      }
      worker.send(2, policy)
      worker.cancel("a")
      // If the system switches threads, message 2 may have begun before the cancellation.
      let hasBegun = worker.started.all.contains(2)
      worker.cancel("a")
      worker.send(3, policy)
      worker.cancel("b")
      await untilIdle()
      try await clock.sleep(for: .seconds(5))
      await first.value
      try hold(worker.started.all.contains(2) == hasBegun, "started \(worker.started.all)")
      try hold(worker.state.contains(3) || said.all == [.carriedOut], "\(worker.state)")
      try hold(
        worker.desk.unfinishedCount == 0, "\(worker.desk.unfinishedCount) messages are unfinished")
      try hold(worker.desk.lanes.isEmpty, "a lane was not removed")
    }
  }

  @Test("O3, O14: cancel(id) drops a message in the mailbox and supersedes one in flight")
  func outcomes() async {
    await exploreContract(seeds: 500) {
      let (worker, gate, said) = (Onsite(), Gate(), Log<String>())
      let tasks = (1...3).map { id in
        Task(executorPreference: Exploration.executor) {
          let outcome = await worker.perform(
            .init(id: id, policy: .serial("a")) { _ in await gate.wait() })
          said.append("\(id == worker.started.all.first ? "first" : "later") \(outcome)")
        }
      }
      await gate.hasArrived(1)
      for _ in 0..<3 { await Task.yield() }
      worker.cancel("a")
      gate.open()
      for task in tasks { await task.value }
      let before = said.all.filter { !$0.hasSuffix("carriedOut") }
      try hold(before.count { $0 == "first superseded" } == 1, "\(said.all)")
      try hold(before.count { $0 == "later dropped" } == before.count - 1, "\(said.all)")
    }
  }

  /// Sends and cancels under two ids from several tasks.
  ///
  /// For each cancellation, records the messages that were sent earlier under its id, and the number of commits when `cancel`
  /// returned.
  private struct Storm: Sendable {
    struct Cancellation: Sendable {
      let sent: Set<Int>
      let commits: Int
    }

    let worker = Onsite(clock: TestClock())
    let sent = [Log<Int>(), Log<Int>()]
    let cancellations = Log<Cancellation>()

    func play(_ task: Int, rounds: Int, _ random: inout SeededGenerator) async {
      for round in 0..<rounds {
        let (id, number) = (Int.random(in: 0..<2, using: &random), task * 10_000 + round)
        switch Int.random(in: 0..<8, using: &random) {
        case 0, 1:
          let before = Set(sent[id].all)
          worker.cancel(id)
          cancellations.append(Cancellation(sent: before, commits: worker.state.count))
        case 2: await Task.yield()
        case let kind:
          let policies: [DispatchPolicy] = [
            .serial(id), .latest(id), .exclusive(id), .serial(id, atMost: 3),
            .throttled(id, for: .seconds(1)),
          ]
          worker.send(number, policies[kind - 3]) { worker in
            if number % 2 == 0 { await Task.yield() }
            worker.commit(number)
            if number % 3 == 0 { await Task.yield() }
          }
          sent[id].append(number)
        }
      }
    }

    func check() throws {
      let state = worker.state
      for each in cancellations.all {
        let late = state.dropFirst(each.commits).filter(each.sent.contains)
        try hold(late.isEmpty, "\(late) committed after their cancellation")
      }
    }
  }

  @Test(
    "O3: after cancel(id) returns, no earlier message commits, with or without a change log",
    arguments: [false, true])
  func strict(isLogged: Bool) async {
    await exploreContract(seeds: 5_000) {
      let storm = Storm()
      let confirmed = isLogged ? await storm.worker.confirmed : nil
      defer { withExtendedLifetime(confirmed) {} }
      await withDiscardingTaskGroup { group in
        for task in 0..<3 {
          group.addTask {
            var random = SeededGenerator(seed: UInt64(task))
            await storm.play(task, rounds: 8, &random)
          }
        }
      }
      await untilIdle()
      try storm.check()
    }
  }

  @Test(
    "O3: on real threads, no earlier message commits after cancel(id) has returned",
    arguments: [false, true])
  func strictOnThreads(isLogged: Bool) async throws {
    for seed in 0..<(isSanitized ? 2 : 8) {
      let storm = Storm()
      let confirmed = isLogged ? await storm.worker.confirmed : nil
      defer { withExtendedLifetime(confirmed) {} }
      await withDiscardingTaskGroup { group in
        for task in 0..<4 {
          group.addTask {
            var random = SeededGenerator(seed: UInt64(seed * 4 + task))
            await storm.play(task, rounds: 200, &random)
          }
        }
      }
      storm.worker.cancel(0)
      storm.worker.cancel(1)
      await waitWhile(storm.worker.desk.unfinishedCount > 0)
      try storm.check()
    }
  }

  /// An opticle that counts without a suspension until it is cancelled, but at most to 20,000, because it blocks a thread.
  private actor Ticker: Opticle {
    let knot = Knot(0)
    func dispatch(_ isTicking: Bool) async {
      for _ in 0..<(isTicking ? 20_000 : 0) where !Task.isCancelled { commit(1) }
    }
    nonisolated func policy(for isTicking: Bool) -> DispatchPolicy {
      isTicking ? .serial("tick") : .concurrent
    }
    func mutate(_ state: inout Int, response: Int) { state += response }
    func recover(_ state: inout Int, request: Bool, error: any Error) {}
  }

  @Test(
    "O3: after cancel(id) on another thread, a handler that never suspends commits nothing more",
    arguments: [true, false])
  func neverSuspends(isHeard: Bool) async {
    let ticker = Ticker()
    let heard = isHeard ? ticker.transitions : nil
    for _ in 0..<(isSanitized ? 5 : 20) {
      let before = ticker.knot.version
      ticker.send(true)
      await waitWhile(ticker.knot.version == before)
      ticker.cancel("tick")
      let version = ticker.knot.version
      #expect(await ticker.perform(false) == .carriedOut)
      #expect(ticker.knot.version == version)
    }
    withExtendedLifetime(heard) {}
  }

  /// An opticle whose reducer checks whether a cancellation has returned.
  private actor Slow: Opticle {
    let knot = Knot(0)
    let isWatched = Atomic(false)
    let hasBegun = Atomic(false)
    let hasReturned = Atomic(false)
    func dispatch(_ request: Int) async { commit(request) }
    nonisolated func policy(for request: Int) -> DispatchPolicy { .serial("slow") }
    func mutate(_ state: inout Int, response: Int) {
      hasBegun.store(true, ordering: .sequentiallyConsistent)
      for _ in 0..<2_000_000 where hasReturned.load(ordering: .sequentiallyConsistent) {
        state = 1
        return
      }
    }
    func recover(_ state: inout Int, request: Int, error: any Error) {}
  }

  @Test("O3: cancel(id) waits for a write that has begun", arguments: [false, true])
  func waitsForTheWrite(isLogged: Bool) async {
    for _ in 0..<5 {
      let slow = Slow()
      let confirmed = isLogged ? await slow.confirmed : nil
      defer { withExtendedLifetime(confirmed) {} }
      // Cancels on a separate thread, which runs even while the reducer blocks a thread of the pool.
      Thread.detachNewThread {
        slow.isWatched.store(true, ordering: .sequentiallyConsistent)
        while !slow.hasBegun.load(ordering: .sequentiallyConsistent) { sched_yield() }
        slow.cancel("slow")
        slow.hasReturned.store(true, ordering: .sequentiallyConsistent)
      }
      await waitWhile(!slow.isWatched.load(ordering: .sequentiallyConsistent))
      #expect(await slow.perform(1) != .dropped)
      #expect(slow.state == 0)
    }
  }

  @Test("O3, S11: a reducer may call cancel(id), and its own write still takes effect")
  func inReducer() async {
    actor Odd: Opticle {
      let knot = Knot<[Int]>([])
      func dispatch(_ number: Int) async { commit(number) }
      nonisolated func policy(for number: Int) -> DispatchPolicy { .serial("odd") }
      func mutate(_ state: inout [Int], response: Int) {
        if response == 1 { cancel("odd") }
        state.append(response)
      }
      func recover(_ state: inout [Int], request: Int, error: any Error) {}
    }
    await exploreContract(seeds: 200, allowing: [.noChoice]) {
      let odd = Odd()
      for number in 0...2 { odd.send(number) }
      await untilIdle()
      odd.send(3)
      await untilIdle()
      // If the system switches threads, message 2 may be sent after the cancellation.
      try hold(odd.state.filter { $0 != 2 } == [0, 1, 3], "\(odd.state)")
    }
  }
}
