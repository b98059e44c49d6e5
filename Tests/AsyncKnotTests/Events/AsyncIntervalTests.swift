@Suite struct AsyncIntervalTests {
  @Test("After missed deadlines, ticks return to the schedule, and their numbers have no gap")
  func missedDeadlines() async {
    let clock = TestClock()
    let ticks = Recorder(
      AsyncInterval(every: .seconds(10), clock: clock).map { tick in
        // The consumer is busy for two and a half intervals after the first tick.
        if tick == 0 { try? await clock.sleep(for: .seconds(25)) }
        return (tick, clock.now.offset)
      })
    await clock.sleepers(atLeast: 1)
    await clock.advance(by: .seconds(10))
    await clock.sleepers(atLeast: 1)
    await clock.advance(by: .seconds(25))
    await ticks.wait(for: 1)
    await clock.sleepers(atLeast: 1)
    await clock.advance(by: .seconds(5))
    let elements = await ticks.wait(for: 2)
    #expect(elements.map(\.0) == [0, 1])
    #expect(elements.map(\.1) == [.seconds(35), .seconds(40)])
  }

  @Test("Creating an AsyncInterval of zero traps with a message that names the value")
  func badInterval() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = AsyncInterval(every: .zero)
    }
    #expect(result.says("AsyncInterval(every:): needs an interval above 0; got 0.0"))
  }
}

/// A clock on which a sleep returns immediately and advances the time to its deadline.
private struct InstantClock: Clock {
  final class Now: Sendable {
    let offset = Mutex(Duration.zero)
  }

  let time = Now()
  var now: TestClock.Instant { TestClock.Instant(offset: time.offset.withLock { $0 }) }
  var minimumResolution: Duration { .zero }

  func sleep(until deadline: TestClock.Instant, tolerance: Duration?) async throws {
    time.offset.withLock { $0 = max($0, deadline.offset) }
  }

  func advance(by duration: Duration) { time.offset.withLock { $0 += duration } }
}

@Suite struct AsyncIntervalDeadlineTests {
  @Test("AsyncInterval ticks immediately for a consumer that returns exactly at a deadline")
  func exactly() async throws {
    for interval in [
      Duration.milliseconds(1), .milliseconds(100), .microseconds(16_667), .nanoseconds(33_333_333),
    ] {
      for missed in 1...1_000 {
        let clock = InstantClock()
        var ticks = AsyncInterval(every: interval, clock: clock).makeAsyncIterator()
        _ = await ticks.next(isolation: nil)
        clock.advance(by: interval * (missed + 1))
        let now = clock.now
        _ = await ticks.next(isolation: nil)
        try #require(clock.now == now, "\(interval), \(missed) ticks missed")
      }
    }
  }

  @Test("AsyncInterval ticks at the next deadline after now, even if its consumer is very late")
  func farBehind() async {
    var generator = SeededGenerator(seed: 18)
    for _ in 0..<2_000 {
      let interval = Duration(
        secondsComponent: 0, attosecondsComponent: Int64.random(in: 3...1 << 60, using: &generator))
      let clock = InstantClock()
      var ticks = AsyncInterval(every: interval, clock: clock).makeAsyncIterator()
      _ = await ticks.next(isolation: nil)
      clock.advance(by: interval * Int.random(in: 0...1 << 40, using: &generator) + interval / 3)
      let before = clock.now
      _ = await ticks.next(isolation: nil)
      #expect(before.duration(to: clock.now) == interval - interval / 3)
    }
  }

  @Test("AsyncInterval waits for an interval of a month, although it sleeps in shorter steps")
  func month() async {
    let clock = InstantClock()
    var ticks = AsyncInterval(every: .seconds(30 * 86_400), clock: clock).makeAsyncIterator()
    #expect(await ticks.next(isolation: nil) == 0)
    #expect(clock.now.offset == .seconds(30 * 86_400))
  }

  @Test("AsyncInterval waits for a century if its interval is longer")
  func century() async {
    let (clock, century) = (InstantClock(), Duration.seconds(100 * 365 * 86_400))
    var ticks = AsyncInterval(every: century * 2, after: .zero, clock: clock).makeAsyncIterator()
    #expect(await ticks.next(isolation: nil) == 0)
    #expect(await ticks.next(isolation: nil) == 1)
    #expect(clock.now.offset == century)
  }

  @Test("The first interval of an AsyncInterval begins at its iterator's first next()")
  func startsWithNext() async {
    let clock = InstantClock()
    var ticks = AsyncInterval(every: .seconds(10), clock: clock).makeAsyncIterator()
    clock.advance(by: .seconds(7))
    #expect(await ticks.next(isolation: nil) == 0)
    #expect(clock.now.offset == .seconds(17))
  }

  @Test("AsyncInterval survives more missed ticks than an Int can count")
  func beyondInt() async {
    let clock = InstantClock()
    let interval = Duration(secondsComponent: 0, attosecondsComponent: 1)
    var ticks = AsyncInterval(every: interval, clock: clock).makeAsyncIterator()
    _ = await ticks.next(isolation: nil)
    clock.advance(by: .seconds(1_000))
    #expect(await ticks.next(isolation: nil) == 1)
    #expect(await ticks.next(isolation: nil) == 2)
  }

  @Test(
    "AsyncInterval accepts the shortest and the longest duration, even on a clock with 32-bit instants",
    arguments: [Duration(attoseconds: 1), Duration(attoseconds: .max)])
  func anyDuration(interval: Duration) async {
    for clock in [ContinuousClock(), OddClock()] as [any Clock<Duration>] {
      var ticks = AsyncInterval(every: interval, after: .zero, clock: clock).makeAsyncIterator()
      #expect(await ticks.next() == 0)
      let later = Task {
        var ticks = AsyncInterval(every: interval, after: interval, clock: clock)
          .makeAsyncIterator()
        return await ticks.next()
      }
      later.cancel()
      _ = await later.value
    }
  }

  /// A clock whose time stands still, and whose `sleep` returns immediately without an error.
  private final class StoppedClock: Clock {
    let minimumResolution = Duration.zero
    let sleepCount = Atomic(0)
    let cancel: @Sendable () -> Void

    init(cancel: @escaping @Sendable () -> Void) { self.cancel = cancel }

    var now: TestClock.Instant { TestClock.Instant() }

    func sleep(until deadline: TestClock.Instant, tolerance: Duration?) async throws {
      cancel()
      if sleepCount.add(1, ordering: .relaxed).newValue == 100 { throw CancellationError() }
    }
  }

  @Test("S8: a cancelled wait ends even if the clock's sleep returns early and without an error")
  func politeClock() async {
    let clock = StoppedClock { unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }
    await Task {
      for await _ in AsyncInterval(every: .seconds(1), clock: clock) {}
    }.value
    #expect(clock.sleepCount.load(ordering: .relaxed) == 1)
  }

  @Test("AsyncInterval ends when its clock fails")
  func failingClock() async {
    var ticks = AsyncInterval(every: .seconds(1), clock: OddClock(failures: 1)).makeAsyncIterator()
    #expect(await ticks.next() == nil)
  }

  /// An actor on an executor that a test drives.
  private actor Dial {
    nonisolated let executor = ManualExecutor()
    nonisolated let ticks = Log<Int>()
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    func show() async {
      for await tick in AsyncInterval(every: .seconds(1), after: .zero) { ticks.append(tick) }
    }
  }

  @Test(
    "S21: a tick that is on its way to its consumer's actor does not arrive after a cancellation")
  func cancelledOnItsWay() async {
    let (dial, bag) = (Dial(), TaskBag())
    bag.add { await dial.show() }
    await waitWhile(dial.executor.priorities.isEmpty)
    #expect(dial.executor.runOne())
    await waitWhile(dial.executor.priorities.isEmpty)
    bag.cancel()
    #expect(dial.executor.runOne())
    #expect(dial.ticks.all.isEmpty)
  }

  private actor Face {
    let bag = TaskBag()
    private var isStopped = false
    private(set) var lateTicks = 0

    func show(on clock: TestClock) async {
      for await _ in AsyncInterval(every: .milliseconds(2), clock: clock) where isStopped {
        lateTicks += 1
      }
    }

    func stop() {
      bag.cancel()
      isStopped = true
    }
  }

  @Test(
    "S21: after a cancellation on the consumer's isolation, no tick arrives, even if one was due")
  func nothingAfterCancel() async {
    await exploreContract(seeds: 2_000, allowing: .noChoiceIfOptimized) {
      let (face, clock) = (Face(), TestClock())
      face.bag.add { await face.show(on: clock) }
      await clock.sleepers(atLeast: 1)
      async let stopped: Void = face.stop()
      await clock.advance(by: .milliseconds(2))
      await stopped
      await face.bag.wait()
      await untilIdle()
      let late = await face.lateTicks
      try hold(late == 0, "\(late) ticks arrived after the cancellation")
    }
  }
}
