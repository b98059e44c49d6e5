// Explorations of reddavis/Asynchrone at commit 1ddfcd3. The package builds on Linux unchanged.

import ExploreTesting
import Asynchrone
import Testing

@Suite struct AsynchroneExplorations {
  // Bug 8: `shared()` makes "a shareable async sequence that can be used across multiple tasks".
  // A reader that begins after its end waits forever.
  @Test func lateReaderOfASharedSequenceEnds() async {
    await explore(seeds: 10_000) {
      let shared = Empty<Int>().shared()
      for try await _ in shared {}
      for try await _ in shared {}
    }
  }

  // Bug 9: `debounce(for:)` emits an element "only after a specified time interval elapses". An
  // interval of less than a second is truncated to zero.
  @Test func debounceWaitsForAQuietInterval() async {
    await explore(seeds: 10_000) {
      let source = PassthroughAsyncSequence<Int>()
      source.yield(1)
      Task(name: "sender") {
        try await Task.sleep(for: .milliseconds(300))
        source.yield(2)
      }
      var reader = source.debounce(for: 0.5).makeAsyncIterator()
      #expect(await reader.next() == 2)
    }
  }
}
