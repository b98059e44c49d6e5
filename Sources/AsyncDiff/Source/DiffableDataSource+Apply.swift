import AsyncKnot
import Synchronization

extension DiffableDataSource {
  /// Does what a transition of the queue asks for; never called with its lock held.
  nonisolated func carryOut(
    _ steps: [ApplyQueue<SnapshotRequest<Section>, Task<Void, Never>>.Step]
  ) {
    for step in steps {
      switch step {
      case .answer(let request, let answer): request.continuation?.resume(returning: answer)
      case .abandon(let task): task.cancel()
      case .prepare(let ticket, let request):
        let task = Spawn.task { await self.show(request, as: ticket) }
        carryOut(queue.withLock { $0.began(ticket, by: task) })
      }
    }
  }

  /// Prepares a request away from the actor, and shows it unless something newer came.
  ///
  /// It runs in a task of its own, which nobody cancels once the surface is touched.
  private nonisolated func show(
    _ request: SnapshotRequest<Section>, as ticket: UInt64
  ) async {
    let new = request.snapshot
    guard let plan = await planner.plan(from: items.snapshot, to: new),
      queue.withLock({ $0.show(ticket) })
    else { return }
    let outcome = await carryOut(plan, for: new.withoutMarks, animated: request.animated)
    carryOut(queue.withLock { $0.finish(ticket, outcome) })
  }

  private func carryOut(
    _ plan: ApplyPlan<Section>, for snapshot: Snapshot, animated: Bool
  ) async -> ApplyOutcome {
    guard let surface else { return .unchanged }
    let outcome: ApplyOutcome
    switch plan {
    case .nothing:
      outcome = .unchanged
    case .reload:
      items.willReload(snapshot)
      await surface.reloadData(snapshot)
      outcome = .reloaded
    case .stages(let stages, let changes):
      for (number, stage) in stages.enumerated() {
        items.willPerform(stage, isFirst: number == 0)
        await surface.performBatchUpdates(stage, animated: animated)
        items.didShow(stage.snapshot)
      }
      outcome = .updated(changes)
    }
    items.didShow(snapshot)
    knot.write { $0 = snapshot }
    return outcome
  }
}
