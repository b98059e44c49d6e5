public import AsyncKnot
import Synchronization

extension DiffableDataSource {
  /// Reports that the user has moved a row, which the surface already shows at its new position.
  ///
  /// The data source does not call the surface for the row, and a later snapshot with the same order changes nothing. A snapshot
  /// that waits, or is submitted during this call, is compared with the new order and decides the final order.
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
  /// The call is synchronous and may come from any isolation. ``reorders`` delivers the move to the code that owns the model.
  ///
  /// - Parameters:
  ///   - from: The row's path in the snapshot that was shown.
  ///   - to: The row's path after the move.
  /// - Returns: The transaction; `nil` if the move is refused because the surface is being called, another row is being moved, no
  ///   snapshot is shown, or a path is out of range. After a refusal, the surface must put the row back.
  /// - Complexity: Amortized O(*n*) for *n* items of the snapshot.
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

  /// Puts back a row that the user moved, unless a snapshot decides the row's position.
  ///
  /// A snapshot decides the position if it was shown after the move, or if it waits and is not cancelled. The user's later moves
  /// stay in effect, as if this row had not moved. The call is synchronous and may come from any isolation.
  ///
  /// - Parameters:
  ///   - transaction: The result of ``reorder(from:to:)``, or an element of ``reorders``.
  ///   - animated: Whether the surface animates the change.
  /// - Returns: `false` if a snapshot has been shown since the move, or the row was already put back.
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

  /// Stores a drag, and folds older drags into the initial order if they can no longer be put back.
  ///
  /// Compares items and releases old values outside the lock. That is safe, because only one row is moved at a time.
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

  /// Releases the drags and the snapshot before them, because no drag can be put back after another snapshot is shown.
  func forgetDrags() {
    let old = drags.withLock { drags in
      defer { drags = OpenDrags() }
      return drags
    }
    withExtendedLifetime(old) {}
  }

  /// Subscribes to the user's later moves of rows, in order.
  ///
  /// There can be any number of subscriptions. A subscription begins when the property is read, and ends when the data source is
  /// released.
  public var reorders: EventSequence<ReorderTransaction<Section>> {
    reorderEvents.subscribe()
  }
}
