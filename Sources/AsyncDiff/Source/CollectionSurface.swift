/// Who draws a list: a terminal, a page, a collection view.
///
/// It is an actor, or a class of the main actor. The data source calls it for one thing at a time, and waits
/// until each call has returned:
///
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
/// A surface must not await `apply` of its own data source within a call: that one waits for the call.
///
/// A surface that throws ends the `apply` under way with its error. What it shows is not known then, so
/// the next `apply` reloads it.
public protocol CollectionSurface<Section>: AnyObject, Sendable {
  /// The sections that it can draw.
  associatedtype Section: SectionInflator

  /// Forgets what it shows and draws a snapshot.
  ///
  /// - Parameter snapshot: What to show from now on.
  /// - Throws: Why it cannot be shown.
  func reloadData(_ snapshot: DiffableSnapshot<Section>) async throws

  /// Forgets what it shows and draws a snapshot, with the nodes that it asked for.
  ///
  /// Surfaces that do not use nodes leave it out; then ``reloadData(_:)`` is called.
  ///
  /// - Parameters:
  ///   - snapshot: What to show from now on.
  ///   - nodes: The nodes of the paths that ``nodeDemand(for:)`` named.
  /// - Throws: Why it cannot be shown.
  func reloadData(_ snapshot: DiffableSnapshot<Section>, nodes: NodeSet) async throws

  /// Carries out one stage of a change, and swaps its data for the stage's snapshot while it does.
  ///
  /// - Parameters:
  ///   - batch: What to change, and what that leads to.
  ///   - animated: Whether the change should be seen to happen.
  /// - Throws: Why it cannot be carried out.
  func performBatchUpdates(_ batch: BatchUpdates<Section>, animated: Bool) async throws

  /// Which nodes are built before the surface is called; ``NodePolicy/changedRows`` if it is left out.
  nonisolated var nodePolicy: NodePolicy { get }

  /// The rows of a snapshot that will be on screen, and the room they have.
  ///
  /// It is asked before each reload and each stage if ``nodePolicy`` is ``NodePolicy/onDemand``, and not
  /// otherwise.
  ///
  /// - Parameter snapshot: What will be shown.
  /// - Returns: The rows whose nodes the surface wants to have with the call.
  func nodeDemand(for snapshot: DiffableSnapshot<Section>) async -> NodeDemand
}

extension CollectionSurface {
  /// Draws a snapshot without nodes.
  public func reloadData(_ snapshot: DiffableSnapshot<Section>, nodes: NodeSet) async throws {
    try await reloadData(snapshot)
  }

  /// The nodes of inserted and updated rows.
  public nonisolated var nodePolicy: NodePolicy { .changedRows }

  /// No row.
  public func nodeDemand(for snapshot: DiffableSnapshot<Section>) async -> NodeDemand {
    NodeDemand(paths: [])
  }
}
