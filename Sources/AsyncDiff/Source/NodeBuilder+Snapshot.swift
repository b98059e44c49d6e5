extension NodeBuilder {
  /// Builds the nodes of some rows of a snapshot, and their sizes if there is a context.
  ///
  /// Paths that are out of range are left out, and items that build no node.
  ///
  /// - Returns: The nodes; `nil` if the task was cancelled.
  nonisolated func nodes<Section>(
    of demand: NodeDemand, in snapshot: DiffableSnapshot<Section>
  ) async -> NodeSet? {
    let jobs = Set(demand.paths).compactMap { path in
      (snapshot.itemIfPresent(at: path) as? any Nodable).map { Job(path: path, item: $0) }
    }
    guard let nodes = await build(jobs) else { return nil }
    var set = NodeSet()
    for (job, node) in zip(jobs, nodes) {
      set.nodes[job.path] = node
      if let context = demand.context { set.sizes[job.path] = job.item.sizeRange(in: context) }
    }
    return set
  }
}
