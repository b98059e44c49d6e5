// Explorations of https://github.com/manuelCarlos/RateLimiters at 8b59e2f.
// The package builds on Linux unchanged.

import ExploreTesting
import Debouncer
import Synchronization
import Testing

/// Bug 13: work is done "if/when no other submissions occur during a specified time interval".
@Test func workIsDoneOnlyWhenNoOtherFollows() async {
  await explore(seeds: 10_000) {
    let done = Mutex<[String]>([])
    let debouncer = Debouncer(duration: .seconds(1), clock: .continuous)
    await debouncer.submit {
      try? await Task.sleep(for: .seconds(1))
      done.withLock { $0.append("first") }
    }
    try await Task.sleep(for: .seconds(1.5))  // The first operation runs.
    await debouncer.submit { done.withLock { $0.append("second") } }
    try await Task.sleep(for: .seconds(0.5))
    await debouncer.submit { done.withLock { $0.append("third") } }
    try await Task.sleep(for: .seconds(2))
    #expect(done.withLock { $0 } == ["first", "third"])
  }
}
