/// Who draws a list: a terminal, a page, a collection view.
///
/// It is an actor, or a class of the main actor. The data source calls it from one place, one call at a
/// time, and waits until each has returned:
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
public protocol CollectionSurface<Section>: AnyObject, Sendable {
  /// The sections that it can draw.
  associatedtype Section: SectionInflator

  /// Forgets what it shows and draws a snapshot.
  ///
  /// - Parameter snapshot: What to show from now on.
  func reloadData(_ snapshot: DiffableSnapshot<Section>) async

  /// Carries out one stage of a change, and swaps its data for the stage's snapshot while it does.
  ///
  /// - Parameters:
  ///   - batch: What to change, and what that leads to.
  ///   - animated: Whether the change should be seen to happen.
  func performBatchUpdates(_ batch: BatchUpdates<Section>, animated: Bool) async
}
