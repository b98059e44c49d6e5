import AsyncKnotTesting
@testable import AsyncOptical
import Synchronization
import TestSupport
import Testing

/// Custom clocks, and unusual durations.
@Suite struct ClockTests {
  /// An opticle whose `clock` has a concrete type instead of `any Clock<Duration>`.
  private actor Search<C: Clock<Duration>>: Opticle {
    let knot = Knot<[String]>([])
    let clock: C
    let policyOf: @Sendable (String) -> DispatchPolicy

    init(_ clock: C, _ policyOf: @escaping @Sendable (String) -> DispatchPolicy) {
      self.clock = clock
      self.policyOf = policyOf
    }

    nonisolated func policy(for request: String) -> DispatchPolicy { policyOf(request) }
    func dispatch(_ request: String) async { commit(request) }
    func attempt(_ policy: RetryPolicy, timeout: Duration? = nil, failing: Int = 0) async {
      let failures = Atomic(failing)
      await commit(from: "r") {
        try await retry(policy, timeout: timeout) {
          guard failures.subtract(1, ordering: .relaxed).oldValue <= 0 else { throw Broken() }
          return "ok"
        }
      }
    }
    func mutate(_ state: inout [String], response: String) { state.append(response) }
    func recover(_ state: inout [String], request: String, error: any Error) {
      state.append("\(error)")
    }
  }

  @Test(
    "O3: if the clock fails, neither the waiting message nor a later one is lost",
    arguments: [true, false])
  func failing(isDebounced: Bool) async {
    let search = Search(OddClock(failures: 1)) { _ in
      isDebounced ? .debounced(1, for: .milliseconds(1)) : .throttled(1, for: .milliseconds(1))
    }
    for text in ["a", "b", "c"] {
      search.send(text)
      await waitWhile(search.state.last != text)
    }
    #expect(search.state == ["a", "b", "c"])
  }

  @Test("O3: recover does not receive the error of a clock that fails between two attempts")
  func failingRetry() async {
    let search = Search(OddClock(failures: 2)) { _ in .concurrent }
    await search.attempt(RetryPolicy(attempts: 2) { _, _ in .seconds(1_000) }, failing: 1)
    await search.attempt(.never, timeout: .seconds(1_000))
    #expect(search.state == ["ok", "ok"])
  }

  @Test(
    "O3: every Duration is a valid debounce time and retry delay, even the shortest and longest",
    arguments: [false, true])
  func odd(isLong: Bool) async {
    let odd: [Duration] =
      isLong
      ? [Duration(attoseconds: .max), .seconds(Int64.max)]
      : [Duration(attoseconds: .min), .seconds(Int64.min), .seconds(-1), .zero]
    for duration in odd {
      let search = Search(OddClock()) { _ in .debounced(1, for: duration) }
      search.send("a")
      if !isLong { await waitWhile(search.state != ["a"]) }
      search.cancel(1)
      let delayed = Task {
        await search.attempt(RetryPolicy(attempts: 2) { _, _ in duration }, failing: 1)
        await search.attempt(
          .exponential(attempts: 70, from: duration, limit: duration), failing: 1)
        if isLong { await search.attempt(.never, timeout: duration) }
      }
      if isLong { delayed.cancel() }
      await delayed.value
      #expect(isLong || search.state == ["a", "ok", "ok"], "\(duration): \(search.state)")
    }
  }

  @Test(
    "O3: a policy accepts the longest durations",
    arguments: [Duration(attoseconds: .max), .seconds(Int64.max)])
  func longest(duration: Duration) async {
    let timed = Search(ContinuousClock()) { text in
      switch text {
      case "first": .debounced(0, for: .zero)
      case "a": .debounced(1, for: duration, atMost: duration)
      case "b": .throttled(1, for: duration)
      default: .concurrent
      }
    }
    // The first request reads the clock, so the others are sent later than at time zero.
    for text in ["first", "a", "a", "b", "b", "c"] { timed.send(text) }
    await waitWhile(!timed.state.contains("c"))
    timed.cancel(1)
  }

  /// An id that calls its holder in its `deinit`.
  private final class Key: Hashable, Sendable {
    let owner: @Sendable () -> Void
    init(_ owner: @escaping @Sendable () -> Void) { self.owner = owner }
    static func == (left: Key, right: Key) -> Bool { true }
    func hash(into hasher: inout Hasher) {}
    deinit { owner() }
  }

  @Test("S18: an id may call its holder in its deinit")
  func idInDeinit() async {
    let worker = Onsite()
    for id in 0..<100 {
      let key = Key { [weak worker] in
        _ = worker?.droppedCount
        worker?.cancel("other")
      }
      worker.send(id, .latest(key)) { _ in await Task.yield() }
    }
    worker.send(100, .serial(1))
    await waitWhile(!worker.state.contains(100))
  }

  @Test("O3: requests with equal timeouts leave at most one sleeping task after they have ended")
  func timeouts() async {
    await explore(seeds: 1, allowing: [.noChoice]) {
      let clock = TestClock()
      let search = Search(clock) { _ in .concurrent }
      for _ in 0..<100 { await search.attempt(.never, timeout: .seconds(1_000)) }
      await untilIdle()
      try hold(search.state.count == 100, "\(search.state)")
      try hold(clock.sleeperCount == 1, "\(clock.sleeperCount) tasks sleep")
    }
  }

  @Test(
    "O3: if a request starts at once and drops a waiting one, no alarm of the dropped request remains"
  )
  func droppedWait() async {
    await exploreContract(seeds: 100, allowing: [.noChoice]) {
      let clock = TestClock()
      let worker = Worker(clock: clock)
      worker.send(1, .debounced("a", for: .seconds(10)))
      worker.send(2, .debounced("b", for: .seconds(20)))
      await worker.perform(.init(id: 3, policy: .debounced("b", for: .zero)))
      await clock.advance(by: .seconds(10))
      await untilIdle()
      try hold(worker.state.done == [3, 1], "\(worker.state.done)")
      try hold(clock.sleeperCount == 0, "\(clock.sleeperCount) tasks are still sleeping")
    }
  }

  @Test("O3: 5,000 requests with ever shorter timeouts leave at most 64 sleeping tasks")
  func shrinkingTimeouts() async {
    await explore(seeds: 1, allowing: [.noChoice]) {
      let clock = TestClock()
      let search = Search(clock) { _ in .concurrent }
      for number in 0..<5_000 {
        await search.attempt(.never, timeout: .seconds(10_000 - number))
      }
      await untilIdle()
      try hold(1...64 ~= clock.sleeperCount, "\(clock.sleeperCount) tasks sleep")
    }
  }

  @Test(
    "O3: alarms ring at their deadlines, regardless of the order in which they were set",
    arguments: 0..<50)
  func ringInTime(seed: UInt64) async {
    var random = SeededGenerator(seed: seed)
    let deadlines = (0..<100).map { _ in Int.random(in: 1...1_000, using: &random) }
    let removed = Set((0..<30).map { _ in Int.random(in: 0..<100, using: &random) })
    await explore(seeds: 1, allowing: [.noChoice]) {
      let (clock, rung) = (TestClock(), Log<Int>())
      let alarms = Alarms(Timeline(clock))
      let numbers = deadlines.enumerated().map { index, deadline in
        alarms.add(at: .milliseconds(deadline)) { _ in
          if clock.now.offset == .milliseconds(deadline) { rung.append(index) }
        }
      }
      for index in removed { alarms.remove(numbers[index]) }
      try await clock.sleep(until: TestClock.Instant(offset: .seconds(2)))
      try hold(Set(rung.all) == Set(0..<100).subtracting(removed), "rung in time: \(rung.all)")
      try hold(rung.all.count == 100 - removed.count, "rung twice: \(rung.all)")
      try hold(clock.sleeperCount == 0, "\(clock.sleeperCount) tasks are still sleeping")
    }
  }
}
