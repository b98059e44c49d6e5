public import AsyncKnot
import Synchronization

extension DiffableDataSource {
  /// Tells that the user has moved a row, which the surface shows in its new place already.
  ///
  /// From this call on the row counts as being there: the surface is not called for it, and a snapshot with
  /// the same order changes nothing. A snapshot that was given before and is not shown yet, or is given
  /// meanwhile, is compared with the new order, and its own is what is shown at the end.
  ///
  /// ```swift
  /// guard let reorder = source?.reorder(from: ItemPath(from), to: ItemPath(to)) else {
  ///   return view.reloadData()
  /// }
  /// shown = reorder.after
  /// ```
  /// It is synchronous, from any isolation. ``reorders`` tells those who keep the model.
  ///
  /// - Parameters:
  ///   - from: Where the row was in what was shown.
  ///   - to: Where it is now, the row itself not counted.
  /// - Returns: What was done; nil if the move is refused: because the surface is being called, so that it is
  ///   not known what the paths mean, or because a path is out of range. Then the surface puts the row back.
  /// - Complexity: O(log *n*) and the items of the sections concerned.
  @discardableResult
  public nonisolated func reorder(
    from: ItemPath, to: ItemPath
  ) -> ReorderTransaction<Section>? {
    let begun = queue.withLock { queue in queue.beginMove().map { ($0, queue.lastOrder) } }
    guard let (steps, order) = begun else { return nil }
    carryOut(steps, isolation: nil)
    defer { carryOut(queue.withLock { $0.endMove() }, isolation: nil) }
    guard let before = items.base, let after = before.movingItem(at: from, to: to) else {
      return nil
    }
    let transaction = ReorderTransaction(
      before: before, after: after, move: ItemMove(from: from, to: to), order: order)
    items.didMove(transaction.batch)
    knot.write { $0 = after }
    reorderEvents.send(transaction)
    return transaction
  }

  /// Has a row that the user moved put back, unless a snapshot was given since: that one says where it is.
  ///
  /// - Parameters:
  ///   - transaction: What ``reorder(from:to:)`` returned, or ``reorders`` told.
  ///   - animated: Whether the surface should let the row be seen to go back.
  /// - Returns: Whether it is put back.
  @discardableResult
  public nonisolated func putBack(
    _ transaction: ReorderTransaction<Section>, animated: Bool = true
  ) -> Bool {
    let request = SnapshotRequest(transaction.before, animated: animated)
    let steps = queue.withLock { $0.submit(request, ifNoneAfter: transaction.order) }
    guard let steps else { return false }
    carryOut(steps, isolation: nil)
    return true
  }

  /// The rows that the user moves from now on, in order.
  ///
  /// Any number of listeners may subscribe; the subscription begins with this call, and ends when the data
  /// source goes.
  public nonisolated var reorders: EventSequence<ReorderTransaction<Section>> {
    reorderEvents.subscribe()
  }
}
