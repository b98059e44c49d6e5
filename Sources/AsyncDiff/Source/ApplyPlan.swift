/// The calls to the surface that show a snapshot.
enum ApplyPlan<Section: SectionInflator>: Sendable {
  /// A reload, with these cells.
  case reload(NodeSet)
  /// The stages with their cells; empty if nothing changes.
  case stages([BatchUpdates<Section>])
}

/// Compares snapshots, and has the cells built that the surface wants.
struct ApplyPlanner<Section: SectionInflator>: Sendable {
  typealias Snapshot = DiffableSnapshot<Section>

  let reloadThreshold: Int
  let builder: NodeBuilder
  let compare: Snapshot.Compare

  /// Returns the plan without cells; `old` is `nil` if the surface must be reloaded.
  func plan(from old: Snapshot?, to new: Snapshot) -> ApplyPlan<Section> {
    guard let old else { return .reload(NodeSet()) }
    let stages = compare(old, new)
    let rows = stages.reduce(0) { $0 + $1.rowCount }
    return rows <= reloadThreshold ? .stages(stages) : .reload(NodeSet())
  }

  /// Whether computing the plan is fast enough for the main actor.
  func isQuick(from old: Snapshot?, to new: Snapshot) -> Bool {
    let snapshots = [old, new].compactMap(\.self)
    return snapshots.allSatisfy { $0.sections.count <= 100 && $0.numberOfItems <= 1_000 }
  }

  /// Adds the cells that the surface wants; does not suspend if it wants none.
  ///
  /// - Parameters:
  ///   - plan: The plan without cells.
  ///   - new: The snapshot that the surface shows after the plan is carried out.
  ///   - surface: The surface, whose `nodePolicy` selects the cells. No cells are built if the surface has been released.
  ///   - isolation: The caller's isolation.
  /// - Returns: The plan with cells; `nil` if the task was cancelled.
  func addingNodes(
    to plan: ApplyPlan<Section>, of new: Snapshot, for surface: WeakSurface<Section>,
    isolation: isolated (any Actor)?
  ) async -> ApplyPlan<Section>? {
    let policy = surface.isGone ? .none : surface.nodePolicy
    switch plan {
    case .reload:
      guard policy == .onDemand else { return plan }
      let demand = await surface.demand(for: new, isolation: isolation)
      return await builder.nodes(of: demand, in: new).map { .reload($0) }
    case .stages(var stages):
      let kept = new.marks.keptNodes
      for stage in stages.indices where policy != .none {
        let snapshot = stages[stage].snapshot
        let changed = stages[stage].pathsOfNewNodes(keeping: kept)
        var demand = NodeDemand(paths: changed)
        if policy == .onDemand {
          let visible = await surface.demand(for: snapshot, isolation: isolation)
          demand.context = visible.context
          demand.paths = Array(Set(changed).intersection(visible.paths))
        }
        guard !demand.paths.isEmpty else { continue }
        guard let set = await builder.nodes(of: demand, in: snapshot) else { return nil }
        (stages[stage].nodes, stages[stage].sizes) = (set.nodes, set.sizes)
      }
      for stage in stages.indices { stages[stage].snapshot = stages[stage].snapshot.withoutMarks }
      return .stages(stages)
    }
  }
}

extension WeakSurface {
  /// The rows whose cells the surface needs; none if the surface has been released.
  fileprivate func demand(
    for snapshot: DiffableSnapshot<Section>, isolation: isolated (any Actor)?
  ) async -> NodeDemand {
    let demand = await call(on: home ?? isolation) { _, surface in
      await surface.nodeDemand(for: snapshot)
    }
    return demand ?? NodeDemand(paths: [])
  }
}

extension BatchUpdates {
  /// The rows that need a new cell: inserted rows, and updated rows that do not keep their cells.
  fileprivate func pathsOfNewNodes(keeping kept: Set<Section.Item.DiffIdentifier>) -> [ItemPath] {
    let inserted = operations.sectionInserts.flatMap(snapshot.paths(inSection:))
    let updated = operations.itemUpdates.lazy.map(\.to).filter {
      kept.isEmpty || !kept.contains(snapshot.item(at: $0).diffIdentifier)
    }
    return inserted + operations.itemInserts + updated
  }
}
