/// A row that the user has moved on the surface.
///
/// The surface shows ``after`` already: nothing is to be animated. A listener brings the new order into its
/// model, or has the row put back:
///
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
  /// What was shown before.
  public let before: DiffableSnapshot<Section>
  /// What is shown now.
  public let after: DiffableSnapshot<Section>
  /// Where the row was, and where it is.
  public let move: ItemMove
  /// How many snapshots were given to the data source before.
  let order: UInt64

  /// The item of the row.
  public var item: Section.Item { after.item(at: move.to) }

  /// The same as an operation, for surfaces that share code with batches.
  public var batch: BatchUpdates<Section> {
    BatchUpdates(from: before, to: after, itemMoves: [move])
  }
}
