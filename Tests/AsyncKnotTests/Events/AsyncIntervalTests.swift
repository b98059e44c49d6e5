import AsyncKnot
import AsyncKnotTesting
import TestSupport
import Testing

@Suite struct AsyncIntervalTests {
  @Test("AsyncInterval ticks 0, 1, 2 … at multiples of the interval after the delay")
  func ticks() async {
    let clock = TestClock()
    let interval = AsyncInterval(every: .milliseconds(10), after: .seconds(1), clock: clock)
    let recorder = Recorder(interval)
    await clock.sleepers(atLeast: 1)
    await clock.advance(by: .milliseconds(999))
    #expect(recorder.elements == [])
    await clock.advance(by: .milliseconds(1))
    #expect(await recorder.wait(for: 1) == [0])
    for tick in 1...3 {
      // A tick that comes while nobody waits for it would be missed.
      await clock.sleepers(atLeast: 1)
      await clock.advance(by: .milliseconds(10))
      #expect(await recorder.wait(for: tick + 1) == Array(0...tick))
    }
    recorder.cancel()
    _ = await recorder.waitForEnd()
  }

  @Test("AsyncInterval ticks first after one interval by default")
  func defaultDelay() async {
    let clock = TestClock()
    let recorder = Recorder(AsyncInterval(every: .seconds(2), clock: clock))
    await clock.sleepers(atLeast: 1)
    await clock.advance(by: .seconds(2))
    #expect(await recorder.wait(for: 1) == [0])
    #expect(clock.now == TestClock.Instant(offset: .seconds(2)))
  }

  @Test("A consumer that misses deadlines keeps to the pace, and the numbers have no gap")
  func missedDeadlines() async {
    let clock = TestClock()
    let ticks = Recorder(
      AsyncInterval(every: .seconds(10), clock: clock).map { tick in
        // The consumer is busy for two intervals and a half after the first tick.
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

  @Test("An interval that is not positive is a programmer error that names the value")
  func badInterval() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = AsyncInterval(every: .zero)
    }
    #expect(result.says("AsyncInterval(every:): needs a positive interval; got 0.0"))
  }
}
