import Synchronization

/// An object that draws a list, for example in a terminal, on a page or in a collection view.
///
/// A surface is an actor or a `@MainActor` class. The data source makes one call at a time and waits until it returns:
///
/// <!-- sample:
/// @MainActor static func drawAll() {}
/// @MainActor static func draw(_ batch: BatchUpdates<HomeSection>) {}
/// -->
/// ```swift
/// @MainActor final class ListView: CollectionSurface {
///   private var shown = DiffableSnapshot<HomeSection>()
///
///   func reloadData(_ snapshot: DiffableSnapshot<HomeSection>) async {
///     shown = snapshot
///     drawAll()
///   }
///   func performBatchUpdates(_ batch: BatchUpdates<HomeSection>, animated: Bool) async {
///     shown = batch.snapshot
///     draw(batch)
///   }
/// }
/// ```
/// The data source holds its surface weakly, except during a call. If the surface is not an actor, the strong reference for a
/// call is created and dropped on the main actor. So a main-actor surface is released on the main actor even if it loses all
/// other references during a call.
///
/// During a call, a surface must not await `apply` of its own data source, because `apply` waits for the call.
///
/// An error thrown by a surface ends the current `apply` with that error. Because it is then unknown what the surface
/// shows, the next `apply` reloads it.
public protocol CollectionSurface<Section>: AnyObject, Sendable {
  /// The type of the sections that the surface can draw.
  associatedtype Section: SectionInflator

  /// Draws a snapshot from scratch; throws if it cannot.
  func reloadData(_ snapshot: DiffableSnapshot<Section>) async throws

  /// Draws a snapshot from scratch, with the cells that the surface has asked for.
  ///
  /// The default implementation calls ``reloadData(_:)``, for surfaces that do not use cells.
  ///
  /// - Parameters:
  ///   - snapshot: The snapshot to draw.
  ///   - nodes: The cells for the paths that ``nodeDemand(for:)`` returned.
  /// - Throws: An error if the snapshot cannot be drawn.
  func reloadData(_ snapshot: DiffableSnapshot<Section>, nodes: NodeSet) async throws

  /// Carries out one stage of a change and replaces the surface's data with the stage's snapshot.
  ///
  /// - Parameters:
  ///   - batch: The changes, and the snapshot that they lead to.
  ///   - animated: Whether to animate the change.
  /// - Throws: An error if the stage cannot be carried out.
  func performBatchUpdates(_ batch: BatchUpdates<Section>, animated: Bool) async throws

  /// The cells to build before the surface is called; read once, when the data source is created.
  ///
  /// The default is ``NodeDemand/Policy/changedRows`` if the items are ``Nodable``, otherwise
  /// ``NodeDemand/Policy/none``.
  nonisolated var nodePolicy: NodeDemand.Policy { get }

  /// Returns the rows of a snapshot that will be on screen, and the space for their cells.
  ///
  /// Called before each reload and each stage, but only if ``nodePolicy`` is ``NodeDemand/Policy/onDemand``. The
  /// default implementation returns no rows.
  ///
  /// - Parameter snapshot: The snapshot that will be shown.
  /// - Returns: The rows whose cells the surface needs for the call.
  func nodeDemand(for snapshot: DiffableSnapshot<Section>) async -> NodeDemand
}

extension CollectionSurface {
  /// Draws a snapshot without cells, by calling `reloadData(_:)`.
  public func reloadData(_ snapshot: DiffableSnapshot<Section>, nodes: NodeSet) async throws {
    try await reloadData(snapshot)
  }

  /// The cells of inserted and updated rows, if the items build cells.
  public nonisolated var nodePolicy: NodeDemand.Policy {
    Section.Item.self is any Nodable.Type ? .changedRows : .none
  }

  /// Returns no rows.
  public func nodeDemand(for snapshot: DiffableSnapshot<Section>) async -> NodeDemand {
    NodeDemand(paths: [])
  }
}

/// A surface whose rows the user can drag.
///
/// While the user is dragging a row, the data source does not ask the surface to draw. The newest snapshot waits for the drop,
/// and is then compared with the order after the drop. The user may pick up a row while a call is in flight, so each method that
/// draws must also wait for the drop before it draws.
///
/// <!-- sample:
/// @MainActor static func draw(_ snapshot: DiffableSnapshot<HomeSection>) {}
/// enum Gesture { static var states: AsyncStream<Bool> { AsyncStream { $0.finish() } } }
/// -->
/// ```swift
/// @MainActor final class DraggedList: DraggableSurface {
///   func untilReleased() async {
///     for await isHeld in Gesture.states where !isHeld { return }
///   }
///   func reloadData(_ snapshot: DiffableSnapshot<HomeSection>) async {
///     await untilReleased()
///     draw(snapshot)
///   }
///   func performBatchUpdates(_ batch: BatchUpdates<HomeSection>, animated: Bool) async {
///     await untilReleased()
///     draw(batch.snapshot)
///   }
/// }
/// ```
public protocol DraggableSurface<Section>: CollectionSurface {
  /// Returns immediately if the user holds no row, otherwise after the drop.
  ///
  /// Called when a snapshot has been prepared. The task is cancelled if that snapshot is not shown now, for example because its
  /// `apply` was cancelled, a newer snapshot is prepared, or ``DiffableDataSource/reorder(from:to:)`` was called.
  func untilReleased() async
}

/// Holds a surface weakly and calls it.
final class WeakSurface<Section: SectionInflator>: Sendable {
  /// The surface's policy for cells, read once.
  let nodePolicy: NodeDemand.Policy
  /// The actor on which references to the surface are created and dropped; `nil` if the surface is an actor, because
  /// any thread may drop a reference to an actor.
  let home: (any Actor)?

  private let isDraggable: Bool
  private let surface: WeakReference
  private let gone = Atomic(false)

  private struct WeakReference: Sendable {
    weak let surface: (any CollectionSurface<Section>)?
  }

  init(_ surface: any CollectionSurface<Section>) {
    nodePolicy = surface.nodePolicy
    home = surface is any Actor ? nil : MainActor.shared
    isDraggable = surface is any DraggableSurface
    self.surface = WeakReference(surface: surface)
  }

  /// Whether a call has found that the surface was released.
  var isGone: Bool { gone.load(ordering: .relaxed) }

  /// Calls the surface.
  ///
  /// The strong reference is created and dropped on `isolation`, because it may be the last reference to the surface (S17).
  /// `body` has an isolation parameter for the same reason: a nonisolated closure would leave that isolation.
  ///
  /// - Parameters:
  ///   - isolation: The surface's `home`, or the caller's isolation if `home` is `nil`.
  ///   - body: Called with `isolation` and the surface.
  /// - Returns: The result of `body`; `nil` if the surface has been released.
  @discardableResult
  func call<Result: Sendable>(
    on isolation: isolated (any Actor)?,
    _ body: @Sendable (isolated (any Actor)?, any CollectionSurface<Section>) async throws -> Result
  ) async rethrows -> Result? {
    guard let surface = surface.surface else {
      gone.store(true, ordering: .relaxed)
      return nil
    }
    return try await body(isolation, surface)
  }
  /// Waits until the user drops the row that is being dragged.
  ///
  /// If the surface does not support drags, returns immediately, in the caller's isolation.
  func untilReleased(isolation: isolated (any Actor)?) async {
    guard isDraggable else { return }
    await call(on: home ?? isolation) { _, surface in
      await (surface as? any DraggableSurface)?.untilReleased()
    }
  }
}
