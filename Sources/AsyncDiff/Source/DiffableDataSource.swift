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
public actor DiffableDataSource<Section: SectionInflator>: StateSource {
  /// What this data source shows.
  public typealias Snapshot = DiffableSnapshot<Section>

  /// Where nodes send their events; for a surface that builds nodes itself after a reload.
  public nonisolated let channel: NodeEventChannel

  /// Where what is shown is kept, for observers and operators: a data source is a source of snapshots.
  public nonisolated let knot = Knot(Snapshot())

  nonisolated let items: ShownItems<Section>
  nonisolated let queue = Mutex(ApplyQueue<SnapshotRequest<Section>, Task<Void, Never>>())
  nonisolated let planner: ApplyPlanner<Section>
  nonisolated let surface: WeakSurface<Section>
  nonisolated let failureEvents = EventChannel<any Error>()
  nonisolated let reorderEvents = EventChannel<ReorderTransaction<Section>>()
  /// The name under which marks remember that they were carried out here.
  nonisolated let markSource = MarkTicket.newSource()

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
    self.surface = WeakSurface(surface)
    self.items = items
    self.channel = channel
    planner = ApplyPlanner(
      reloadThreshold: reloadThreshold,
      builder: NodeBuilder(channel: channel, tasks: nodeTasks), compare: compare)
  }

  deinit {
    channel.finish()
    failureEvents.finish()
    reorderEvents.finish()
  }

  /// What the surface shows; empty before the first snapshot.
  public nonisolated var snapshot: Snapshot { knot.state }

  /// What the surface shows now, then what it shows later, as far as the observer is fast enough.
  public nonisolated var snapshots: StateSequence<Snapshot> { knot.states }

  /// The errors that surfaces throw from now on, in order.
  ///
  /// Who awaits `apply` gets its error there, too; snapshots given to ``submit(_:animatingDifferences:)`` or
  /// by a pipe have nobody else to tell.
  public nonisolated var failures: EventSequence<any Error> { failureEvents.subscribe() }

  /// Builds the nodes of some rows that are shown, several at once: of those that scroll into view.
  ///
  /// ```swift
  /// let set = await source.nodes(for: NodeDemand(paths: comingUp, context: context))
  /// ```
  /// - Parameter demand: The rows, and the room there is if sizes are wanted; paths where nothing is shown
  ///   are left out.
  /// - Returns: The nodes, by path; none if the task is cancelled.
  public nonisolated func nodes(for demand: NodeDemand) async -> NodeSet {
    guard let snapshot = items.snapshot else { return NodeSet() }
    return await planner.builder.nodes(of: demand, in: snapshot) ?? NodeSet()
  }
}

/// Holds a surface weakly.
final class WeakSurface<Section: SectionInflator>: Sendable {
  private struct Reference {
    weak var surface: (any CollectionSurface<Section>)?
  }

  private let reference: Mutex<Reference>

  init(_ surface: any CollectionSurface<Section>) {
    reference = Mutex(Reference(surface: surface))
  }

  /// The surface, if it is still there.
  var value: (any CollectionSurface<Section>)? { reference.withLock { $0.surface } }
}
