/// What the surface has to do to show a snapshot.
enum ApplyPlan<Section: SectionInflator>: Sendable {
  /// It shows the same already.
  case nothing
  /// It draws everything anew.
  case reload
  /// It carries out stages, with their nodes, and so many changes in all.
  case stages([BatchUpdates<Section>], changes: Int)
}

/// Compares snapshots and builds nodes, away from the surface and from the data source.
struct ApplyPlanner<Section: SectionInflator>: Sendable {
  typealias Snapshot = DiffableSnapshot<Section>

  let channel: NodeEventChannel
  let reloadThreshold: Int
  let nodeTasks: Int
  let compare: @Sendable (Snapshot, Snapshot) -> [BatchUpdates<Section>]

  /// Makes a plan, or none if the task was cancelled meanwhile; `old` is `nil` before the first.
  nonisolated func plan(
    from old: Snapshot?, to new: Snapshot
  ) async -> ApplyPlan<Section>? {
    guard !Task.isCancelled else { return nil }
    guard let old else { return .reload }
    var stages = compare(old, new)
    let changes = stages.reduce(0) { $0 + $1.count }
    guard changes > 0 else { return .nothing }
    guard stages.reduce(0, { $0 + $1.rowCount }) <= reloadThreshold else { return .reload }
    let builder = NodeBuilder<Section>(
      channel: channel, tasks: nodeTasks, keeping: new.marks.keptNodes)
    guard await builder.build(for: &stages) else { return nil }
    for stage in stages.indices { stages[stage].snapshot = stages[stage].snapshot.withoutMarks }
    return .stages(stages, changes: changes)
  }
}
