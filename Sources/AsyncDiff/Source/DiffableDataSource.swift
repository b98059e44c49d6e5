public import AsyncKnot
import Synchronization

/// Shows snapshots on a surface, one after another, and carries the surface's events to listeners.
///
/// ```swift
/// let source = DiffableDataSource(surface: listView)
/// try await source.apply(DiffableSnapshot(sections: sections))
/// for await event in source.events(of: Article.self) where event.action == .didSelect {
///   open(event.model)
/// }
/// ```
///
/// Any task may call `apply`. The surface is called from one place, one call at a time; whatever the
/// order of arrival and speed, the snapshot given last is shown in the end. The surface is held weakly.
public actor DiffableDataSource<Section: SectionInflator> {
  /// What this data source shows.
  public typealias Snapshot = DiffableSnapshot<Section>

  /// Where nodes send their events; for a surface that builds nodes itself after a reload.
  public nonisolated let channel: NodeEventChannel

  let items: ShownItems<Section>
  let knot = Knot(Snapshot())
  let queue = Mutex(ApplyQueue<SnapshotRequest<Section>, Task<Void, Never>>())
  let planner: ApplyPlanner<Section>
  weak var surface: (any CollectionSurface<Section>)?

  /// Creates a data source for a surface.
  ///
  /// - Parameters:
  ///   - surface: Who draws; an actor, or an object of the main actor. It is held weakly.
  ///   - reloadThreshold: More changes than this are not carried out one by one but by a reload.
  ///   - nodeTasks: How many tasks build nodes at once; as many as there are cores, at most. Every
  ///     device has two; where Foundation is at hand, pass `ProcessInfo`'s `activeProcessorCount`.
  @inlinable
  public init(
    surface: any CollectionSurface<Section>, reloadThreshold: Int = 10_000, nodeTasks: Int = 2
  ) {
    self.init(
      surface: surface, reloadThreshold: reloadThreshold, nodeTasks: nodeTasks,
      compare: { $0.batches(to: $1) })
  }

  /// The comparison is made where the section's type is known, so that it is compiled for that type.
  @usableFromInline
  init(
    surface: any CollectionSurface<Section>, reloadThreshold: Int, nodeTasks: Int,
    compare: @escaping @Sendable (Snapshot, Snapshot) -> [BatchUpdates<Section>]
  ) {
    precondition(
      reloadThreshold >= 0,
      "init(surface:reloadThreshold:nodeTasks:): needs a threshold of 0 or more; "
        + "got \(reloadThreshold)")
    precondition(
      nodeTasks >= 1,
      "init(surface:reloadThreshold:nodeTasks:): needs one task; got \(nodeTasks)")
    let items = ShownItems<Section>()
    let channel = NodeEventChannel { items.path(of: $0) }
    self.surface = surface
    self.items = items
    self.channel = channel
    planner = ApplyPlanner(
      channel: channel, reloadThreshold: reloadThreshold, nodeTasks: nodeTasks, compare: compare)
  }

  deinit { channel.finish() }

  /// What the surface shows; empty before the first snapshot.
  public nonisolated var snapshot: Snapshot { knot.state }

  /// What the surface shows now, then what it shows later, as far as the observer is fast enough.
  public nonisolated var snapshots: StateSequence<Snapshot> { knot.states }

  /// Shows a snapshot, and returns when the surface is done with it.
  ///
  /// The first snapshot is a reload; an empty change calls nobody. While one is being shown, the newest
  /// of those given meanwhile waits, and replaces an older one that does. A cancelled call that has not
  /// reached the surface changes nothing; one that has is completed, and returns its outcome.
  ///
  /// - Parameters:
  ///   - snapshot: What to show.
  ///   - animatingDifferences: Whether the surface should let the change be seen.
  /// - Returns: What became of the snapshot.
  /// - Throws: `CancellationError` if the task was cancelled before the surface was touched.
  @discardableResult
  public func apply(
    _ snapshot: Snapshot, animatingDifferences: Bool = true
  ) async throws(CancellationError) -> ApplyOutcome {
    let ticket = queue.withLock { $0.announce() }
    let answer = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let request = SnapshotRequest(
          snapshot, animated: animatingDifferences, continuation: continuation)
        carryOut(queue.withLock { $0.submit(request, as: ticket) })
      }
    } onCancel: {
      carryOut(queue.withLock { $0.cancel(ticket) })
    }
    switch answer {
    case .shown(let outcome): return outcome
    case .superseded: return .superseded
    case .cancelled: throw CancellationError()
    }
  }
}
