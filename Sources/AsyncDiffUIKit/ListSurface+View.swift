public import AsyncDiff
internal import AsyncKnot

/// The methods that the view calls.
extension ListSurface {
  /// The row at a path of the view, such as a row that the user has swiped; `nil` if there is no row at the path.
  public func item(at path: ItemPath) -> Section.Item? { shown.itemIfPresent(at: path) }

  /// Whether the user may drag the row at a path.
  package func canMove(at path: ItemPath) -> Bool { item(at: path).map(canMove) ?? false }

  /// The row at a path that the view is about to show.
  package func itemToShow(at path: ItemPath) -> Section.Item {
    onReach?(path)
    return shown.item(at: path)
  }

  /// Reports rows that will soon be visible, and skips rows that have been removed in the meantime.
  package func prefetch(_ paths: [ItemPath]) {
    let items = paths.compactMap { path in
      item(at: path).map { item in
        onReach?(path)
        return item
      }
    }
    if !items.isEmpty { onPrefetch(items) }
  }

  /// Reports rows that will not become visible after all.
  package func cancelPrefetch(_ paths: [ItemPath]) {
    let items = paths.compactMap(item(at:))
    if !items.isEmpty { onCancelPrefetch(items) }
  }

  /// Records that the user has dragged a row, which the view already shows at its new position.
  ///
  /// While a change is being shown, the data source refuses the drag, and a reload undoes it. Until that reload, `shown` has the
  /// same order as the view, because the view may ask for its rows at any time.
  package func move(from: ItemPath, to: ItemPath) {
    if owed == nil {
      if let reorder = source.reorder(from: from, to: to) { return shown = reorder.after }
      owed = shown
      let list = WeakReference(self)
      Spawn.task { await Self.undoDrag(of: list) }
    }
    shown = shown.movingItem(at: from, to: to) ?? shown
  }

  /// Undoes a drag after the drop; the only reference to the list may be the one here, on the main actor.
  private static func undoDrag(of list: WeakReference<ListSurface>) async {
    guard let list = list.object else { return }
    await list.untilReleased()
    if let owed = list.owed { list.reload(owed) }
  }
}
