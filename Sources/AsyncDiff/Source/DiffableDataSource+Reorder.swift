public import AsyncKnot
import Synchronization

extension DiffableDataSource {
  /// Reports that the user has moved a row, which the surface shows in its new place already.
  ///
  /// The surface is not called for the row, and a snapshot with the same order changes nothing. A
  /// snapshot that was given before and is not shown yet, or is given meanwhile, is compared with
  /// the new order; the order shown at the end is that snapshot's.
  ///
  /// <!-- sample:
  /// import UIKit
  /// @MainActor func move(from: IndexPath, to: IndexPath, in view: UICollectionView) {
  ///   let source: DiffableDataSource? = source
  ///   var shown = snapshot
  ///   defer { print(shown) }
  ///   func ItemPath(_ path: IndexPath) -> AsyncDiff.ItemPath {
  ///     AsyncDiff.ItemPath(section: path.section, item: path.item)
  ///   }
  ///   …
  /// }
  /// -->
  /// ```swift
  /// guard let reorder = source?.reorder(from: ItemPath(from), to: ItemPath(to)) else {
  ///   return view.reloadData()
  /// }
  /// shown = reorder.after
  /// ```
  /// The call is synchronous, from any isolation. ``reorders`` delivers the move to those who keep
  /// the model.
  ///
  /// - Parameters:
  ///   - from: The row's path in the snapshot that was shown.
  ///   - to: The row's path now, counted without the row itself.
  /// - Returns: The transaction; nil if the move is refused, because the surface is being called or
  ///   a path is out of range. Then the surface must put the row back.
  /// - Complexity: O(log *n*) and the items of the sections concerned.
  @discardableResult
  public func reorder(
    from: ItemPath, to: ItemPath
  ) -> ReorderTransaction<Section>? {
    let begun = withQueue { queue in queue.beginMove().map { ($0, queue.claims) } }
    guard let (steps, claims) = begun else { return nil }
    perform(steps, isolation: nil)
    defer { perform(withQueue { $0.endMove() }, isolation: nil) }
    guard let before = items.base, let after = before.movingItem(at: from, to: to) else {
      return nil
    }
    let transaction = ReorderTransaction(
      before: before, after: after, move: ItemPath.Move(from: from, to: to))
    keep(transaction, claims: claims)
    items.didMove(transaction.batch)
    knot.exchange(for: after, by: ObjectIdentifier(self))
    reorderEvents.send(transaction)
    return transaction
  }

  /// Puts back a row that the user moved, that row alone, unless a snapshot decides where it is.
  ///
  /// A snapshot decides if it was shown after the move, or waits to be shown and is not cancelled. Rows that the
  /// user has moved since then keep their places beside their neighbours, as if this row had never been moved. The
  /// call is synchronous, from any isolation.
  ///
  /// - Parameters:
  ///   - transaction: The result of ``reorder(from:to:)``, or an element of ``reorders``.
  ///   - animated: Whether the surface animates the change.
  /// - Returns: False if a snapshot has been shown since then, or the row was put back before.
  @discardableResult
  public func putBack(
    _ transaction: ReorderTransaction<Section>, animated: Bool = true
  ) -> Bool {
    let (isOpen, claims) = drags.withLock { ($0.refuse(transaction), $0.claims) }
    let request = SnapshotRequest<Section>(nil, animated: animated)
    guard isOpen, let steps = withQueue({ $0.submit(request, ifClaims: claims) }) else {
      return false
    }
    perform(steps, isGiver: true, isolation: nil)
    return true
  }

  /// Notes a drag, and takes those for made that nobody can refuse any more.
  ///
  /// Items are compared, and what was kept is released, outside the lock. Only one row is moved at a time.
  private func keep(_ drag: ReorderTransaction<Section>, claims: UInt64) {
    let settled = drags.withLock { $0.settled() }
    let order = settled.order
    let old = drags.withLock { drags in
      let old = drags
      drags.settle(settled, as: order)
      drags.add(drag, claims: claims)
      return old
    }
    withExtendedLifetime(old) {}
  }

  /// The rows that the user moves from now on, in order.
  ///
  /// Any number of listeners may subscribe. The subscription begins when the property is read, and
  /// ends when the data source goes.
  public var reorders: EventSequence<ReorderTransaction<Section>> {
    reorderEvents.subscribe()
  }
}
