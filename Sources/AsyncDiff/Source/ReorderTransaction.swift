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
  /// How many snapshots had been shown before.
  let claims: UInt64
  /// Where the row goes if it is put back.
  ///
  /// It is what was shown before the first drag that no snapshot has followed; if the row itself has been dragged
  /// since then, ``before``.
  let order: DiffableSnapshot<Section>

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

  /// The shown snapshot with this row put back behind its nearest former predecessor.
  func undone(in shown: DiffableSnapshot<Section>) -> DiffableSnapshot<Section> {
    guard shown != after, let place = order.path(ofItem: item.diffIdentifier) else { return before }
    return shown.placing(move.to, like: place, of: order)
  }
}

/// The drags since the last snapshot was shown: they may all be refused, in any order.
struct OpenDrags<Section: SectionInflator>: Sendable {
  private var claims: UInt64 = 0
  /// What was shown before the first of them.
  private var origin: DiffableSnapshot<Section>?
  private var moved: Set<Section.Item.DiffIdentifier> = []

  /// Adds a drag, and returns the order in which its row was before.
  mutating func add(
    _ id: Section.Item.DiffIdentifier, in before: DiffableSnapshot<Section>, claims: UInt64
  ) -> DiffableSnapshot<Section> {
    if origin == nil || claims != self.claims {
      (origin, moved, self.claims) = (before, [], claims)
    }
    return moved.insert(id).inserted ? origin ?? before : before
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
