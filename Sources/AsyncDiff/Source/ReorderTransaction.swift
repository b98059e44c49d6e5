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
  public let move: ItemPath.Move
  /// Stands for the drag: the data source keeps the drag as long as somebody has it, who may refuse it.
  var identity = Identity()

  final class Identity: Sendable {}

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
    guard snapshot != before else { return after }
    let id = item.diffIdentifier
    let isThere = snapshot.itemIfPresent(at: move.from)?.diffIdentifier == id
    guard let from = isThere ? move.from : snapshot.path(ofItem: id),
      let section = snapshot.index(ofSection: after.sections[move.to.section].diffIdentifier)
    else { return snapshot }
    let predecessor = after.sections[move.to.section].rows[..<move.to.item].reversed().lazy
      .compactMap { snapshot.path(ofItem: $0.diffIdentifier) }
      .first { $0.section == section && $0 != from }
    // The target is counted without the row itself.
    let shift = predecessor.map { from.section == section && from.item < $0.item ? 0 : 1 } ?? 0
    let target = ItemPath(section: section, item: (predecessor?.item ?? 0) + shift)
    return snapshot.movingItem(at: from, to: target) ?? snapshot
  }
}

/// The drags since the last snapshot was shown: each may still be refused, in any order.
///
/// A refused drag is as if it had never been: what is to be shown are the others, in their order, over what was
/// shown before the first of them.
struct OpenDrags<Section: SectionInflator>: Sendable {
  /// How many snapshots had been shown.
  private(set) var claims: UInt64 = 0
  private var origin: DiffableSnapshot<Section>?
  /// Those that were not refused, in order.
  private(set) var drags: [ReorderTransaction<Section>] = []

  /// What is to be shown; nil before the first drag.
  var order: DiffableSnapshot<Section>? {
    origin.map { drags.reduce($0) { $1.applied(to: $0) } }
  }

  /// Adds a drag; after another snapshot was shown, it is the first one.
  mutating func add(_ drag: ReorderTransaction<Section>, claims: UInt64) {
    if origin == nil || claims != self.claims {
      (origin, drags, self.claims) = (drag.before, [], claims)
    }
    drags.append(drag)
  }

  /// Removes a drag.
  ///
  /// - Returns: Whether it was there.
  mutating func refuse(_ drag: ReorderTransaction<Section>) -> Bool {
    let place = drags.lastIndex { $0.identity === drag.identity }
    if let place { drags.remove(at: place) }
    return place != nil
  }

  /// The drags at the beginning that nobody can refuse any more, because nobody has them.
  mutating func settled() -> Self {
    let count = drags.indices.prefix { isKnownUniquelyReferenced(&drags[$0].identity) }.count
    var settled = self
    settled.drags = Array(drags.prefix(count))
    return settled
  }

  /// Takes such drags for made.
  mutating func settle(_ settled: Self, as order: DiffableSnapshot<Section>?) {
    guard settled.claims == claims else { return }
    origin = order
    drags.removeFirst(settled.drags.count)
  }
}
