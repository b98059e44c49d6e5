import Synchronization

/// Builds the nodes of rows, several at once.
struct NodeBuilder: Sendable {
  /// A node to be built.
  struct Job: Sendable {
    let path: ItemPath
    let item: any Nodable
  }

  let channel: NodeEventChannel
  /// The number of tasks that build at once; the caller's is one of them.
  let tasks: Int

  /// Builds nodes, away from the caller's isolation.
  ///
  /// - Returns: A node for each job, in order; `nil` if the task was cancelled.
  nonisolated func build(_ jobs: [Job]) async -> [any CellNode]? {
    let next = Counter()
    let helpers = min(tasks, jobs.count) - 1
    let built =
      helpers < 1
      ? await work(on: jobs, from: next)
      : await withTaskGroup(of: [(Int, any CellNode)].self) { group in
        for _ in 0..<helpers { group.addTask { await work(on: jobs, from: next) } }
        let own = await work(on: jobs, from: next)
        return await group.reduce(into: own) { $0 += $1 }
      }
    guard !Task.isCancelled, built.count == jobs.count else { return nil }
    return built.sorted { $0.0 < $1.0 }.map(\.1)
  }

  private func work(on jobs: [Job], from next: Counter) async -> [(Int, any CellNode)] {
    var built: [(Int, any CellNode)] = []
    while !Task.isCancelled {
      let job = next.take()
      guard job < jobs.count else { break }
      let block = jobs[job].item.nodeBlock(with: channel, at: jobs[job].path)
      built.append((job, await block()))
    }
    return built
  }
}

/// A counter that returns each number from zero once.
private final class Counter: Sendable {
  private let value = Atomic(0)

  func take() -> Int { value.add(1, ordering: .relaxed).oldValue }
}
