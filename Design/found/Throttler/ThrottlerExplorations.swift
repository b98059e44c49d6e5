// Explorations of https://github.com/boraseoksoon/Throttler at 34290c8.
// The package builds on Linux unchanged.

import ExploreTesting
import Synchronization
import Testing
import Throttler

/// Bug 17: `debounce` "runs only the latest call in a burst".
@Test func latestCallOfABurstRuns() async {
  await explore(seeds: 10_000) {
    let shown = Mutex<[String]>([])
    @Sendable func type(_ text: String) {
      debounce(.seconds(1), identifier: "text", by: .taskContext) {
        shown.withLock { $0.append(text) }
      }
    }
    type("a")
    type("ab")
    try await Task.sleep(for: .seconds(2))
    #expect(shown.withLock { $0 } == ["ab"])
  }
}
