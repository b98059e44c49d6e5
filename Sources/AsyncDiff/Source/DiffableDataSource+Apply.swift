import AsyncKnot
import Synchronization

extension DiffableDataSource {
  /// Shows a snapshot, and returns when the surface is done with it.
  ///
  /// The first snapshot is a reload; an empty change calls nobody. While one is being shown, the newest
  /// of those given meanwhile waits, and replaces an older one that does. A cancelled call that has not
  /// reached the surface changes nothing; one that has is completed, and returns its outcome.
  ///
  /// On the main actor, small lists are compared at once: if the surface is there, too, and wants no nodes
  /// (``NodePolicy/none``), it is called in the same turn.
  ///
  /// - Parameters:
  ///   - snapshot: What to show.
  ///   - animatingDifferences: Whether the surface should let the change be seen.
  ///   - isolation: Where the call is made.
  /// - Returns: What became of the snapshot.
  /// - Throws: `CancellationError` if the task was cancelled before the surface was touched; the surface's
  ///   own error, after which the next call reloads.
  @discardableResult
  public func apply(
    _ snapshot: Snapshot, animatingDifferences: Bool = true,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> ApplyOutcome {
    let ticket = queue.withLock { $0.announce() }
    let answer = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let request = SnapshotRequest(
          snapshot, animated: animatingDifferences, continuation: continuation)
        carryOut(queue.withLock { $0.submit(request, as: ticket) }, isolation: isolation)
      }
    } onCancel: {
      carryOut(queue.withLock { $0.cancel(ticket) }, isolation: nil)
    }
    switch answer {
    case .shown(let outcome): return outcome
    case .superseded: return .superseded
    case .cancelled: throw CancellationError()
    case .failed(let error): throw error
    }
  }

  /// Has a snapshot shown, without waiting for it.
  ///
  /// It is synchronous, from any isolation: the order of these calls is the order of the snapshots, whatever
  /// the callers' priorities. Call it where a value is set:
  ///
  /// ```swift
  /// var articles: [Article] { didSet { source.submit(snapshot(of: articles)) } }
  /// ```
  /// What becomes of the snapshot is what becomes of one given to ``apply(_:animatingDifferences:isolation:)``.
  /// If the surface throws, ``failures`` tells.
  ///
  /// - Parameters:
  ///   - snapshot: What to show.
  ///   - animatingDifferences: Whether the surface should let the change be seen.
  public nonisolated func submit(_ snapshot: Snapshot, animatingDifferences: Bool = true) {
    let request = SnapshotRequest(snapshot, animated: animatingDifferences)
    carryOut(queue.withLock { $0.submit(request, as: $0.announce()) }, isolation: nil)
  }

  typealias Steps = [ApplyQueue<SnapshotRequest<Section>, Task<Void, Never>>.Step]

  /// Does what a transition of the queue asks for; never called with its lock held.
  func carryOut(_ steps: Steps, isolation: isolated (any Actor)?) {
    for step in steps {
      switch step {
      case .answer(let request, let answer):
        if case .failed(let error) = answer { failureEvents.send(error) }
        request.continuation?.resume(returning: answer)
      case .abandon(let task): task.cancel()
      case .prepare(let ticket, let request):
        let task = start(request, as: ticket, isolation: isolation)
        carryOut(queue.withLock { $0.began(ticket, by: task) }, isolation: nil)
      }
    }
  }

  /// Starts to show a request: on the main actor at once if that takes little time, else elsewhere.
  private func start(
    _ request: SnapshotRequest<Section>, as ticket: UInt64, isolation: isolated (any Actor)?
  ) -> Task<Void, Never> {
    let isOnMainActor = isolation.map { $0 === MainActor.shared } ?? false
    guard isOnMainActor, planner.isQuick(from: items.base, to: request.snapshot) else {
      return Spawn.task(priority: request.priority) {
        await self.show(request, as: ticket, isolation: nil)
      }
    }
    return Spawn.taskAtOnce {
      await self.show(request, as: ticket, isolation: isolation)
    }
  }

  /// Prepares a request, and shows it unless something newer came.
  ///
  /// It runs in a task of its own, which nobody cancels once the surface is touched.
  private func show(
    _ request: SnapshotRequest<Section>, as ticket: UInt64, isolation: isolated (any Actor)?
  ) async {
    guard !Task.isCancelled else { return }
    var new = request.snapshot
    let carriedOut = new.marks
    new.marks = new.marks.pending(for: markSource)
    let plan = planner.plan(from: items.base, to: new)
    guard let surface = surface.value else {
      guard queue.withLock({ $0.show(ticket) }) else { return }
      return carryOut(
        queue.withLock { $0.finish(ticket, .shown(.surfaceGone)) }, isolation: nil)
    }
    guard
      let plan = await planner.addingNodes(to: plan, of: new, for: surface, isolation: isolation),
      queue.withLock({ $0.show(ticket) })
    else { return }
    let answer: ApplyAnswer
    do {
      let outcome = try await carryOut(
        plan, for: new.withoutMarks, on: surface, animated: request.animated, isolation: isolation)
      carriedOut.carryOut(by: markSource)
      answer = .shown(outcome)
    } catch {
      items.didFail()
      answer = .failed(error)
    }
    carryOut(queue.withLock { $0.finish(ticket, answer) }, isolation: nil)
  }

  private func carryOut(
    _ plan: ApplyPlan<Section>, for snapshot: Snapshot, on surface: any CollectionSurface<Section>,
    animated: Bool, isolation: isolated (any Actor)?
  ) async throws -> ApplyOutcome {
    let outcome: ApplyOutcome
    switch plan {
    case .nothing:
      outcome = .unchanged
    case .reload(let nodes):
      items.willReload(snapshot)
      if nodes.nodes.isEmpty {
        try await surface.reloadData(snapshot)
      } else {
        try await surface.reloadData(snapshot, nodes: nodes)
      }
      outcome = .reloaded
    case .stages(let stages, let changes):
      for (number, stage) in stages.enumerated() {
        items.willPerform(stage, isFirst: number == 0)
        try await surface.performBatchUpdates(stage, animated: animated)
        items.didShow(stage.snapshot)
      }
      outcome = .updated(changes)
    }
    items.didShow(snapshot)
    knot.write { $0 = snapshot }
    return outcome
  }
}
