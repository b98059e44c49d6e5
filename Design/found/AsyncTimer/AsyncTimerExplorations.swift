// Explorations of https://github.com/codingiran/AsyncTimer at 385e8fe.
// The package builds on Linux unchanged.

import ExploreTesting
import AsyncTimer
import Synchronization
import Testing

/// Bug 10: "Stops the timer", here half a second before it is due.
@Test func timerThatWasRestartedCanBeStopped() async {
  await explore(seeds: 10_000) {
    let fired = Mutex(0)
    let timer = AsyncTimer(interval: .seconds(1)) { fired.withLock { $0 += 1 } }
    await timer.start()
    await timer.restart()
    try await Task.sleep(for: .seconds(0.5))
    await timer.stop()
    try await Task.sleep(for: .seconds(2))
    #expect(fired.withLock { $0 } == 0)
  }
}

/// Bug 11: "fire after quiet period", with two concurrent calls while an older one is pending.
@Test func oneCallOfABurstFires() async {
  var exploration = Exploration(seeds: 10_000)
  exploration.fifoActors = true  // A stop that overtakes its timer's start would be another bug.
  await explore(exploration) {
    let fired = Mutex<[String]>([])
    let debouncer = AsyncDebouncer(debounceTime: .seconds(1))
    await debouncer.call { fired.withLock { $0.append("old") } }
    let first = Task(name: "first") {
      await debouncer.call { fired.withLock { $0.append("first") } }
    }
    let second = Task(name: "second") {
      await debouncer.call { fired.withLock { $0.append("second") } }
    }
    for call in [first, second] { await call.value }
    try await Task.sleep(for: .seconds(2))
    #expect(fired.withLock { $0 }.count == 1)
  }
}

/// Bug 12: "at most one execution per window", with two concurrent calls.
@Test func oneCallOfAWindowRuns() async {
  await explore(seeds: 10_000) {
    let runs = Mutex(0)
    let throttler = AsyncThrottler(
      throttleTime: .seconds(1), behavior: .leadingOnly, cadence: .drift)
    let first = Task(name: "first") { await throttler.call { runs.withLock { $0 += 1 } } }
    let second = Task(name: "second") { await throttler.call { runs.withLock { $0 += 1 } } }
    for call in [first, second] { await call.value }
    #expect(runs.withLock { $0 } == 1)
  }
}
