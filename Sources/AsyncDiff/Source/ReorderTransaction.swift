/// A row that the user has moved on the surface.
///
/// The surface already shows ``after``. A subscriber of ``DiffableDataSource/reorders`` moves the row in its model, or puts the
/// row back. The shown snapshot may contain other drags that can still be put back.
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
  /// The snapshot before the move.
  public let before: DiffableSnapshot<Section>
  /// The snapshot after the move.
  public let after: DiffableSnapshot<Section>
  /// The paths of the row before and after the move.
  public let move: ItemPath.Move
  /// Identifies the drag.
  ///
  /// The data source keeps the drag while other code holds this object, because that code can still put the drag back.
  var identity = Identity()

  final class Identity: Sendable {}

  /// The item of the row.
  public var item: Section.Item { after.item(at: move.to) }

  /// The move as a batch, for surfaces that handle moves and batches with the same code.
  public var batch: BatchUpdates<Section> {
    BatchUpdates(from: before, to: after, ListOperations(itemMoves: [move]))
  }

  /// Returns a snapshot with only this row moved.
  ///
  /// The method searches ``after`` upward from the moved row for a row that `snapshot` has in the same section. The moved row is
  /// inserted after the first row found, or at the start of the section if there is none.
  ///
  /// - Parameter snapshot: The model's snapshot.
  /// - Returns: The new snapshot, or `snapshot` if it does not have the row or the section.
  public func applied(
    to snapshot: DiffableSnapshot<Section>
  ) -> DiffableSnapshot<Section> {
    // Among rows with the same identifier, only the path in `before` tells which of them was moved.
    if snapshot.index === before.index { return after }
    guard let from = before.path(of: move.from, in: snapshot),
      let section = snapshot.index(ofSection: after.sections[move.to.section].diffIdentifier)
    else { return snapshot }
    let predecessor = (0..<move.to.item).reversed().lazy
      .compactMap { after.path(of: ItemPath(section: move.to.section, item: $0), in: snapshot) }
      .first { $0.section == section && $0 != from }
    // `movingItem` takes the position after the move. If the row is above its predecessor, removing the row moves the predecessor
    // up by one.
    let shift = predecessor.map { from.section == section && from.item < $0.item ? 0 : 1 } ?? 0
    let target = ItemPath(section: section, item: (predecessor?.item ?? 0) + shift)
    return snapshot.movingItem(at: from, to: target) ?? snapshot
  }
}

/// The drags since a snapshot was last shown; they can be put back in any order.
///
/// A drag that is put back leaves no trace: the result is the other drags, in their order, applied to the snapshot before the
/// first drag.
struct OpenDrags<Section: SectionInflator>: Sendable {
  /// The number of snapshots that had claimed the surface before these drags.
  private(set) var claims: UInt64 = 0
  private var origin: DiffableSnapshot<Section>?
  /// The drags that were neither put back nor folded into `origin`, in order.
  private(set) var drags: [ReorderTransaction<Section>] = []

  /// The snapshot to show; `nil` before the first drag.
  var order: DiffableSnapshot<Section>? {
    origin.map { drags.reduce($0) { $1.applied(to: $0) } }
  }

  /// Adds a drag; first drops the earlier drags if a snapshot has been shown after them.
  mutating func add(_ drag: ReorderTransaction<Section>, claims: UInt64) {
    if origin == nil || claims != self.claims {
      (origin, drags, self.claims) = (drag.before, [], claims)
    }
    drags.append(drag)
  }

  /// Removes a drag that is put back; returns `false` if the drag is not in `drags`.
  mutating func refuse(_ drag: ReorderTransaction<Section>) -> Bool {
    let place = drags.lastIndex { $0.identity === drag.identity }
    if let place { drags.remove(at: place) }
    return place != nil
  }

  /// Returns a copy with only the oldest drags, which can no longer be put back because no other code holds them.
  mutating func settled() -> Self {
    let count = drags.indices.prefix { isKnownUniquelyReferenced(&drags[$0].identity) }.count
    var settled = self
    settled.drags = Array(drags.prefix(count))
    return settled
  }

  /// Folds settled drags into `origin`.
  mutating func settle(_ settled: Self, as order: DiffableSnapshot<Section>?) {
    guard settled.claims == claims else { return }
    origin = order
    drags.removeFirst(settled.drags.count)
  }
}
