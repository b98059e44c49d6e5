import Synchronization

/// Builds the cells of rows in concurrent tasks.
struct NodeBuilder: Sendable {
  private typealias Job = (path: ItemPath, item: any Nodable)

  let channel: NodeEventChannel
  /// The number of tasks that build concurrently, including the caller's.
  let tasks: Int

  /// Builds the cells of some rows outside the caller's isolation, and determines the cells' sizes if `demand` has a context.
  ///
  /// Skips paths that are out of range, and items without cells.
  ///
  /// - Returns: The cells; `nil` if the task was cancelled.
  nonisolated func nodes<Section>(
    of demand: NodeDemand, in snapshot: DiffableSnapshot<Section>
  ) async -> NodeSet? {
    let jobs: [Job] = Set(demand.paths).compactMap { path in
      (snapshot.itemIfPresent(at: path) as? any Nodable).map { (path, $0) }
    }
    let next = Counter()
    let helpers = min(tasks, jobs.count) - 1
    let built =
      helpers < 1
      ? await work(on: jobs, in: demand.context, from: next)
      : await withTaskGroup(of: NodeSet.self) { group in
        for _ in 0..<helpers {
          group.addTask { await work(on: jobs, in: demand.context, from: next) }
        }
        let own = await work(on: jobs, in: demand.context, from: next)
        return await group.reduce(into: own) { all, set in
          all.nodes.merge(set.nodes) { $1 }
          all.sizes.merge(set.sizes) { $1 }
        }
      }
    return Task.isCancelled || built.nodes.count < jobs.count ? nil : built
  }

  private func work(
    on jobs: [Job], in context: NodeContext?, from next: Counter
  ) async -> NodeSet {
    var built = NodeSet()
    while !Task.isCancelled {
      let number = next.take()
      guard number < jobs.count else { break }
      let (path, item) = jobs[number]
      built.nodes[path] = await item.nodeBlock(with: channel, at: path)()
      if let context { built.sizes[path] = item.sizeRange(in: context) }
    }
    return built
  }
}

/// A thread-safe counter that starts at zero.
private final class Counter: Sendable {
  private let value = Atomic(0)

  func take() -> Int { value.add(1, ordering: .relaxed).oldValue }
}
