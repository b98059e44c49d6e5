import AsyncKnot
import Synchronization

extension DiffableDataSource {
  /// Shows a snapshot, and returns when the surface has shown it or a newer snapshot has replaced it.
  ///
  /// The first snapshot reloads the surface, and the surface is not called for an unchanged snapshot. While one snapshot is being
  /// shown, the newest of the other snapshots waits and replaces any older one that is waiting. If you cancel the call before its
  /// snapshot reaches the surface, nothing changes. If you cancel the call later, it still completes and returns its outcome.
  ///
  /// Cells are built and the surface is called in a separate task. That task has the caller's task-local values if the
  /// snapshot is prepared immediately, and none if the snapshot waits for another one or is prepared again.
  ///
  /// On the main actor, lists with at most 100 sections and 1,000 items are compared immediately. If the surface is also on the
  /// main actor and wants no cells (``NodeDemand/Policy/none``), it is called immediately, too. On Apple platforms before version
  /// 26, both happen in a new task on the main actor. A caller that is not on an actor compares lists of any size itself.
  ///
  /// - Parameters:
  ///   - snapshot: The snapshot to show.
  ///   - animatingDifferences: Whether the surface animates the change.
  ///   - isolation: The caller's isolation.
  /// - Returns: The outcome of this snapshot.
  /// - Throws: `CancellationError` if the task was cancelled before the surface was called; the surface's own error,
  ///   after which the next call reloads.
  @discardableResult
  public func apply(
    _ snapshot: Snapshot, animatingDifferences: Bool = true,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> ApplyOutcome {
    try await answer(to: snapshot, animated: animatingDifferences, isolation: isolation).get()
  }

  /// Submits a snapshot and waits for its outcome.
  func answer(
    to snapshot: Snapshot, animated: Bool, isolation: isolated (any Actor)?
  ) async -> ApplyAnswer {
    let ticket = withQueue { $0.nextTicket() }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let request = SnapshotRequest(snapshot, animated: animated, continuation: continuation)
        // If the task is cancelled later, `cancel(_:)` finds the request in the queue.
        let steps = withQueue { $0.submit(request, as: ticket, isCancelled: Task.isCancelled) }
        perform(steps, isGiver: true, isolation: isolation)
      }
    } onCancel: {
      perform(withQueue { $0.cancel(ticket) }, isolation: nil)
    }
  }

  /// Shows a snapshot without waiting for it.
  ///
  /// The call is synchronous and may come from any isolation. Snapshots are shown in the order of these calls, regardless of the
  /// callers' priorities. You can therefore call the method where a value is set:
  ///
  /// <!-- sample:
  /// @MainActor final class Presenter {
  ///   let source = DiffableDataSource(surface: surface)
  ///   init() { articles = [] }
  ///   func snapshot(of articles: [Article]) -> DiffableSnapshot<Day> { DiffableSnapshot() }
  ///   …
  /// }
  /// -->
  /// ```swift
  /// var articles: [Article] { didSet { source.submit(snapshot(of: articles)) } }
  /// ```
  /// The comparison always runs in a new task. In all other respects, including task-local values, this method works like
  /// ``apply(_:animatingDifferences:isolation:)``. An error of the surface is sent to ``failures``.
  ///
  /// - Parameters:
  ///   - snapshot: The snapshot to show.
  ///   - animatingDifferences: Whether the surface animates the change.
  public func submit(_ snapshot: Snapshot, animatingDifferences: Bool = true) {
    let request = SnapshotRequest(snapshot, animated: animatingDifferences)
    perform(
      withQueue { $0.submit(request, as: $0.nextTicket()) }, isGiver: true, isolation: nil)
  }

  typealias Queue = ApplyQueue<SnapshotRequest<Section>, Task<Void, Never>>

  /// Performs a transition of the queue under the lock.
  ///
  /// The returned steps hold the requests that leave the queue, so models are released outside the lock. That matters because
  /// their `deinit` is user code.
  func withQueue<Result: Sendable>(
    _ transition: (inout Queue) -> Result
  ) -> Result { queue.withLock { transition(&$0) } }

  /// Returns the snapshot that a request shows; for `putBack`, the snapshot after the remaining drags, or `shown` if there were
  /// no drags.
  func target(of request: SnapshotRequest<Section>, over shown: Snapshot) -> Snapshot {
    request.snapshot ?? drags.withLock { $0 }.order ?? shown
  }

  /// Performs the steps of a transition; the queue's lock must not be held.
  ///
  /// - Parameters:
  ///   - steps: The transition's steps, performed in order.
  ///   - isGiver: Whether the caller submitted the snapshot that a `.prepare` step prepares.
  ///   - isolation: The caller's isolation.
  func perform(_ steps: [Queue.Step], isGiver: Bool = false, isolation: isolated (any Actor)?) {
    for step in steps {
      switch step {
      case .answer(let request, let answer):
        request.continuation?.resume(returning: answer)
      // The task's cancellation handlers are code of the app.
      case .abandon(let task): Reducer.afterwards { task.cancel() }
      case .prepare(let attempt, let request):
        let task = CurrentMessage.without {
          start(request, as: attempt, isGiver: isGiver, isolation: isolation)
        }
        perform(withQueue { $0.began(attempt, by: task) }, isolation: nil)
      }
    }
  }

  /// Starts a task that shows a request.
  ///
  /// If the caller can compare the snapshots, the task runs immediately on the caller's isolation. If the request's caller starts
  /// the task, the task inherits that caller's task-local values; if the task of another snapshot starts it, it has none (F3).
  private func start(
    _ request: SnapshotRequest<Section>, as attempt: Queue.Attempt, isGiver: Bool,
    isolation: isolated (any Actor)?
  ) -> Task<Void, Never> {
    if isGiver, canCompare(request, on: isolation) {
      return Spawn.taskAtOnce {
        await self.prepareAndShow(request, as: attempt, isolation: isolation)
      }
    }
    let show = { @Sendable in
      await self.prepareAndShow(request, as: attempt, isolation: nil)
    }
    return isGiver
      ? Spawn.task(priority: request.priority, show)
      : Spawn.apart(priority: request.priority, show)
  }

  /// Whether the caller can compare the snapshots itself, which avoids waking another thread.
  ///
  /// A caller of `apply` that is not on an actor can compare them, because it waits for the outcome and blocks no other code. A
  /// caller on the main actor can compare them if the comparison is quick.
  private func canCompare(
    _ request: SnapshotRequest<Section>, on isolation: (any Actor)?
  ) -> Bool {
    if let isolation {
      return isolation === MainActor.shared
        && planner.isQuick(from: items.base, to: target(of: request, over: snapshot))
    }
    return request.continuation != nil && request.priority <= Task.currentPriority
  }

  /// Prepares a request and shows it, unless a newer request has replaced it.
  ///
  /// Runs in its own task, which is no longer cancelled once the request has claimed the surface.
  private func prepareAndShow(
    _ request: SnapshotRequest<Section>, as attempt: Queue.Attempt,
    isolation: isolated (any Actor)?
  ) async {
    guard !Task.isCancelled else { return }
    let base = items.base
    var new = target(of: request, over: base ?? snapshot)
    let appliedMarks = new.marks
    new.marks = new.marks.pending(for: markSource)
    let plan = planner.plan(from: base, to: new)
    guard
      let plan = await planner.addingNodes(to: plan, of: new, for: surface, isolation: isolation)
    else { return }
    await surface.untilReleased(isolation: isolation)
    guard let steps = withQueue({ $0.claim(attempt) }) else { return }
    perform(steps, isolation: nil)
    if request.snapshot != nil { forgetDrags() }
    let answer: ApplyAnswer
    do {
      let outcome = try await callSurface(
        for: plan, to: new.withoutMarks, animated: request.animated, isolation: isolation)
      appliedMarks.setApplied(by: markSource)
      answer = .success(outcome)
    } catch {
      items.didFail()
      failureEvents.send(error)
      answer = .failure(error)
    }
    perform(withQueue { $0.finish(attempt, answer) }, isolation: nil)
  }

  /// Calls the surface according to the plan and records what it shows.
  private func callSurface(
    for plan: ApplyPlan<Section>, to snapshot: Snapshot, animated: Bool,
    isolation: isolated (any Actor)?
  ) async throws -> ApplyOutcome {
    guard !surface.isGone else { return .surfaceGone }
    let outcome: ApplyOutcome
    let home = surface.home ?? isolation
    switch plan {
    case .reload(let nodes):
      items.willReload(snapshot)
      try await surface.call(on: home) { _, surface in
        if nodes.nodes.isEmpty {
          try await surface.reloadData(snapshot)
        } else {
          try await surface.reloadData(snapshot, nodes: nodes)
        }
      }
      outcome = .reloaded
    case .stages(let stages):
      for (number, stage) in stages.enumerated() where !surface.isGone {
        items.willPerform(stage, isFirst: number == 0)
        try await surface.call(on: home) { _, surface in
          try await surface.performBatchUpdates(stage, animated: animated)
        }
        if !surface.isGone { items.didShow(stage.snapshot) }
      }
      outcome = stages.isEmpty ? .unchanged : .updated(stages.reduce(0) { $0 + $1.count })
    }
    guard !surface.isGone else {
      items.didFail()
      return .surfaceGone
    }
    items.didShow(snapshot)
    knot.exchange(for: snapshot, by: ObjectIdentifier(self))
    return outcome
  }
}

extension Spawn {
  /// Starts an unstructured task with at least this priority.
  @discardableResult
  static func task(
    priority: TaskPriority, _ operation: sending @escaping () async -> Void
  ) -> Task<Void, Never> {
    guard priority > Task.currentPriority else { return task(operation) }
    guard let executor else { return Task(priority: priority, operation: operation) }
    return Task(executorPreference: executor, priority: priority, operation: operation)
  }

  /// Starts a task on the caller's isolation, which its closure inherits.
  ///
  /// On systems that support it, the task runs immediately, up to its first suspension.
  @discardableResult
  static func taskAtOnce(
    @_inheritActorContext _ operation: sending @escaping @isolated(any) () async -> Void
  ) -> Task<Void, Never> {
    guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else {
      return task(operation)
    }
    guard let executor else { return Task.immediate(operation: operation) }
    return Task.immediate(executorPreference: executor, operation: operation)
  }
}
