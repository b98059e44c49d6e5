/// A row that the user has moved on the surface.
///
/// The surface shows ``after`` already, without an animation. A listener moves that row in its model, or puts it
/// back. What is shown may hold other drags that are not decided yet.
///
/// <!-- sample:
/// struct Acceptance {
///   func accepts(_ item: Article, at path: ItemPath) -> Bool { true }
///   let snapshot = DiffableSnapshot<Day>()
///   func take(_ snapshot: DiffableSnapshot<Day>) {}
/// }
/// let model = Acceptance()
/// -->
/// ```swift
/// for await reorder in source.reorders {
///   if model.accepts(reorder.item, at: reorder.move.to) {
///     model.take(reorder.applied(to: model.snapshot))
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
  /// How many snapshots had been shown before.
  let claims: UInt64

  /// The item of the row.
  public var item: Section.Item { after.item(at: move.to) }

  /// The move as a batch, for surfaces that share code with batches.
  public var batch: BatchUpdates<Section> {
    BatchUpdates(from: before, to: after, ListOperations(itemMoves: [move]))
  }

  /// A snapshot with this row moved, and no other one.
  ///
  /// The row comes behind the nearest of those that were before it in ``after``.
  ///
  /// - Parameter snapshot: What the model has.
  /// - Returns: The snapshot; the same if the row or its section is not there.
  public func applied(
    to snapshot: DiffableSnapshot<Section>
  ) -> DiffableSnapshot<Section> {
    snapshot == before ? after : snapshot.placing(move.from, like: move.to, of: after)
  }

  /// What is shown, with this row back behind the nearest of those that were before it.
  func undone(in shown: DiffableSnapshot<Section>) -> DiffableSnapshot<Section> {
    shown == after ? before : shown.placing(move.to, like: move.from, of: before)
  }
}

extension DiffableSnapshot {
  /// Moves the item of a path in another snapshot to the place that it has there.
  ///
  /// - Parameters:
  ///   - hint: Where the item probably is here.
  ///   - place: The path there.
  ///   - other: The other snapshot.
  /// - Returns: This snapshot with the item in its place.
  fileprivate func placing(_ hint: ItemPath, like place: ItemPath, of other: Self) -> Self {
    let id = other.item(at: place).diffIdentifier
    let isThere = itemIfPresent(at: hint)?.diffIdentifier == id
    guard let from = isThere ? hint : path(ofItem: id),
      let section = index(ofSection: other.sections[place.section].diffIdentifier)
    else { return self }
    let before = other.sections[place.section].items[..<place.item].reversed().lazy
      .compactMap { self.path(ofItem: $0.diffIdentifier) }
      .first { $0.section == section && $0 != from }
    // The target is counted without the row itself.
    let shift = before.map { from.section == section && from.item < $0.item ? 0 : 1 } ?? 0
    let target = ItemPath(section: section, item: (before?.item ?? 0) + shift)
    return movingItem(at: from, to: target) ?? self
  }
}
