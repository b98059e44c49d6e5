// Explorations of adam-fowler/async-collections at commit 726af96. The package builds on Linux unchanged.

import AsyncCollections
import ExploreTesting

@Suite struct AsyncCollectionsExplorations {
  private struct Broken: Error {}

  // Bug 28: at most `maxConcurrentTasks` run at a time; work that throws keeps its slot forever.
  @Test func theQueueContinuesAfterAnError() async {
    await explore(seeds: 10_000) {
      let queue = AsyncCollections.TaskQueue<Int>(maxConcurrentTasks: 1)
      await withDiscardingTaskGroup { group in
        group.addTask {
          _ = try? await queue.add {
            await Task.yield()
            throw Broken()
          }
        }
        group.addTask { _ = try? await queue.add { 1 } }
      }
      let value = try await queue.add { 2 }
      #expect(value == 2)
    }
  }
}
