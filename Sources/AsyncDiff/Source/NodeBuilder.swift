import Synchronization

/// Builds the nodes that the stages of a change need, several at once.
struct NodeBuilder<Section: SectionInflator>: Sendable {
  private struct Job: Sendable {
    let stage: Int
    let path: ItemPath
    let item: Section.Item
  }

  let channel: NodeEventChannel
  let tasks: Int
  /// Items that keep their node although they are updated.
  let keptNodes: Set<Section.Item.DiffIdentifier>

  init(
    channel: NodeEventChannel, tasks: Int, keeping keptNodes: Set<Section.Item.DiffIdentifier>
  ) {
    self.channel = channel
    self.tasks = tasks
    self.keptNodes = keptNodes
  }

  /// Builds the nodes of inserted and updated items.
  ///
  /// - Returns: Whether all were built; not so if the task was cancelled.
  func build(for stages: inout [BatchUpdates<Section>]) async -> Bool {
    let jobs = stages.indices.flatMap { self.jobs(of: stages[$0], at: $0) }
    let next = Counter()
    await withTaskGroup(of: [(Int, any CellNode)].self) { group in
      for _ in 0..<min(tasks, jobs.count) {
        group.addTask { await work(on: jobs, from: next) }
      }
      for await built in group {
        for (job, node) in built { stages[jobs[job].stage].nodes[jobs[job].path] = node }
      }
    }
    return !Task.isCancelled
  }

  private func jobs(of batch: BatchUpdates<Section>, at stage: Int) -> [Job] {
    let snapshot = batch.snapshot
    let inserted = batch.sectionInserts.flatMap { section in
      (0..<snapshot.numberOfItems(in: section)).map { ItemPath(section: section, item: $0) }
    }
    let updated = batch.itemUpdates.lazy.map(\.to).filter {
      keptNodes.isEmpty || !keptNodes.contains(snapshot.item(at: $0).diffIdentifier)
    }
    return (inserted + batch.itemInserts + updated).map {
      Job(stage: stage, path: $0, item: snapshot.item(at: $0))
    }
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

/// Hands out the numbers from zero, each to one task.
private final class Counter: Sendable {
  private let value = Atomic(0)

  func take() -> Int { value.add(1, ordering: .relaxed).oldValue }
}
