// Explorations of https://github.com/rjchatfield/SerialUpdatingValue at d6b6f5f.
// The package builds on Linux without SerialUpdatingValueCombine.swift, which imports Combine.

import ExploreTesting
import SerialUpdatingValue
import Synchronization
import Testing

/// Bug 14: "While fetching, all subsequent requests must also await the fetch value".
@Test func anOldValueIsFetchedAgainOnce() async {
  await explore(seeds: 10_000) {
    let fetches = Mutex(0)
    let token = SerialUpdatingValue<Int>(isValid: { $0 > 1 }) {  // The first value is too old.
      fetches.withLock { count in
        count += 1
        return count
      }
    }
    let ann = Task(name: "Ann") { try await token.value }
    let ben = Task(name: "Ben") { try await token.value }
    for reader in [ann, ben] { _ = try await reader.value }
    #expect(fetches.withLock { $0 } == 2)
  }
}
