public import AsyncKnot
import Synchronization

/// Shows snapshots on a surface, one after another, and delivers the surface's events to subscribers.
///
/// ```swift
/// let source = DiffableDataSource(surface: listView)
/// try await source.apply(DiffableSnapshot(sections: sections))
/// for await event in source.events(of: Article.self) where event.action == .didSelect {
///   open(event.model)
/// }
/// ```
///
/// Any task may call `apply`. The surface receives one call at a time, and eventually shows the snapshot that was
/// submitted last, regardless of the priority and speed of the callers. The data source holds its surface weakly.
public final class DiffableDataSource<Section: SectionInflator>: StateSource {
  /// The snapshots that this data source shows.
  public typealias Snapshot = DiffableSnapshot<Section>

  /// The channel to which cells send their events, for surfaces that build cells themselves after a reload.
  public let channel: NodeEventChannel

  /// The knot with the shown snapshot; the observers and operators of a `StateSource` read the knot.
  public let knot = Knot(Snapshot())

  let items: ShownItems<Section>
  let queue = Mutex(Queue())
  let planner: ApplyPlanner<Section>
  let surface: WeakSurface<Section>
  let failureEvents = EventChannel<any Error>()
  let reorderEvents = EventChannel<ReorderTransaction<Section>>()
  let drags = Mutex(OpenDrags<Section>())
  /// Identifies this data source in the marks that it has applied.
  let markSource = MarkSource()

  /// Creates a data source for a surface.
  ///
  /// Traps if `reloadThreshold` is negative or `nodeTasks` is below 1.
  ///
  /// - Parameters:
  ///   - surface: The surface, an actor or a `@MainActor` object. The data source holds it weakly.
  ///   - reloadThreshold: The maximum number of changed rows to carry out in stages; if more rows change, the surface reloads.
  ///     With `.max`, the number of changed rows never causes a reload.
  ///   - nodeTasks: The number of tasks that build cells concurrently. Use at most the number of cores, which is 2 or more on
  ///     every Apple device that the package supports. With Foundation, pass `ProcessInfo`'s `activeProcessorCount`.
  @inlinable
  public convenience init(
    surface: any CollectionSurface<Section>, reloadThreshold: Int = 10_000, nodeTasks: Int = 2
  ) {
    self.init(
      surface: surface, reloadThreshold: reloadThreshold, nodeTasks: nodeTasks,
      compare: { $0.batches(to: $1) })
  }

  @usableFromInline
  init(
    surface: any CollectionSurface<Section>, reloadThreshold: Int, nodeTasks: Int,
    compare: @escaping Snapshot.Compare
  ) {
    require(
      reloadThreshold >= 0,
      "DiffableDataSource(reloadThreshold:): needs a threshold of at least 0; "
        + "got \(reloadThreshold)")
    require(
      nodeTasks >= 1,
      "DiffableDataSource(nodeTasks:): needs at least 1 task; got \(nodeTasks)")
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
    markSource.leave()
    channel.finish()
    failureEvents.finish()
    reorderEvents.finish()
  }

  /// The snapshot that the surface shows; empty before the first one.
  public var snapshot: Snapshot { knot.state }

  /// The shown snapshot and all later ones; a slow observer skips some of them.
  public var snapshots: StateSequence<Snapshot> { knot.states }

  /// Subscribes to all later errors of the surface, in order.
  ///
  /// `apply` also throws the error of its own snapshot. The errors of snapshots from ``submit(_:animatingDifferences:)`` or a
  /// pipe are delivered only here. The subscription begins when the property is read.
  public var failures: EventSequence<any Error> { failureEvents.subscribe() }

  /// Builds the cells of some shown rows concurrently, such as rows that scroll into view.
  ///
  /// <!-- sample: func show(_ comingUp: [ItemPath], in context: NodeContext) async { … } -->
  /// ```swift
  /// let set = await source.nodes(for: NodeDemand(paths: comingUp, context: context))
  /// ```
  /// - Parameter demand: The rows, and the space for their cells if you want sizes. Paths without an item are
  ///   skipped.
  /// - Returns: The cells, keyed by path; no cells if the task is cancelled.
  public func nodes(for demand: NodeDemand) async -> NodeSet {
    guard let snapshot = items.snapshot else { return NodeSet() }
    return await planner.builder.nodes(of: demand, in: snapshot) ?? NodeSet()
  }
}
