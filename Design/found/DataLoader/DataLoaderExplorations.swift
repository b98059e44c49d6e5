// Explorations of GraphQLSwift/DataLoader at commit c327216. Only the target AsyncDataLoader
// was built: take DataLoader, its tests and swift-nio out of `Package.swift`.

import AsyncDataLoader
import ExploreTesting
import Synchronization
import Testing

@Suite struct DataLoaderExplorations {
  // Bug 6: `prime(key:value:)` says "If the key already exists, no change is made". It awaits
  // between the check and the write, and replaces a value that was loaded in the meantime.
  @Test func primeKeepsALoadedValue() async {
    await explore(seeds: 10_000) {
      let loader = DataLoader<Int, String> { keys in keys.map { _ in .success("loaded") } }
      let primer = Task(name: "primer") { _ = try await loader.prime(key: 1, value: "primed") }
      let reader = Task(name: "reader") { try await loader.load(key: 1) }
      let first = try await reader.value
      try await primer.value
      let second = try await loader.load(key: 1)
      #expect(second == first)
    }
  }

  // Bug 7: a failed load is not kept. A failed batch clears its keys, and so removes a newer entry
  // that was loaded for one of them.
  @Test func failedBatchKeepsANewerEntry() async {
    await explore(seeds: 10_000) {
      let calls = Atomic(0)
      let loader = DataLoader<Int, Int> { keys in
        let call = calls.add(1, ordering: .relaxed).newValue
        if call == 1 {
          try await Task.sleep(for: .seconds(2))
          throw CancellationError()
        }
        return keys.map { _ in .success(call) }
      }
      let failing = Task(name: "failing") { try await loader.load(key: 1) }
      try await Task.sleep(for: .seconds(1))
      await loader.clear(key: 1)
      let newer = try await loader.load(key: 1)
      _ = await failing.result
      let again = try await loader.load(key: 1)
      #expect(again == newer)
    }
  }
}
