/// A row that the user has moved on the surface.
///
/// The surface shows ``after`` already, without an animation. A listener applies the new order to
/// its model, or puts the row back:
///
/// <!-- sample:
/// struct Acceptance {
///   func accepts(_ item: Article, at path: ItemPath) -> Bool { true }
///   func take(_ snapshot: DiffableSnapshot<Day>) {}
/// }
/// let model = Acceptance()
/// -->
/// ```swift
/// for await reorder in source.reorders {
///   if model.accepts(reorder.item, at: reorder.move.to) {
///     model.take(reorder.after)
///   } else {
///     source.putBack(reorder)
///   }
/// }
/// ```
public struct ReorderTransaction<Section: SectionInflator>: Sendable {
  /// The snapshot that was shown before.
  public let before: DiffableSnapshot<Section>
  /// The snapshot that is shown now.
  public let after: DiffableSnapshot<Section>
  /// The paths of the row before and after.
  public let move: ItemMove
  /// The number of snapshots that were given to the data source before.
  let order: UInt64

  /// The item of the row.
  public var item: Section.Item { after.item(at: move.to) }

  /// The move as a batch, for surfaces that share code with batches.
  public var batch: BatchUpdates<Section> {
    BatchUpdates(from: before, to: after, ListOperations(itemMoves: [move]))
  }
}
