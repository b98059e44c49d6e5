// Explorations of JohnSundell/CollectionConcurrencyKit at commit b4f23e2. The package builds on Linux unchanged.

import CollectionConcurrencyKit
import ExploreTesting
import Synchronization
import Testing

@Suite struct CollectionConcurrencyKitExplorations {
  private struct Broken: Error {}

  // Bug 44: an error "will be rethrown once all closure calls have completed".
  @Test func concurrentMapWaitsForAllItsCalls() async {
    await explore(seeds: 10_000) {
      let ended = Mutex(0)
      _ = try? await [1, 2].concurrentMap { number in
        if number == 1 { throw Broken() }
        await Task.yield()
        ended.withLock { $0 += 1 }
      }
      #expect(ended.withLock { $0 } == 1)
    }
  }
}
