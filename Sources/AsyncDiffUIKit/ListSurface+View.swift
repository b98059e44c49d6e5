public import AsyncDiff
internal import AsyncKnot

/// What the view asks, and tells.
extension ListSurface {
  /// The row that the view has at a path, such as one that the user has swiped.
  ///
  /// - Parameter path: The path.
  /// - Returns: The row; nil if there is none.
  public func item(at path: ItemPath) -> Section.Item? { shown.itemIfPresent(at: path) }

  /// Whether the user may drag the row at a path.
  package func canMove(at path: ItemPath) -> Bool { item(at: path).map(canMove) ?? false }

  /// The row at a path that the view is about to show.
  package func itemToShow(at path: ItemPath) -> Section.Item {
    onReach(path)
    return shown.item(at: path)
  }

  /// Tells of rows that will soon be in sight; a view may name rows that have gone meanwhile.
  package func prefetch(_ paths: [ItemPath]) {
    let items = paths.compactMap { path in
      item(at: path).map { item in
        onReach(path)
        return item
      }
    }
    if !items.isEmpty { onPrefetch(items) }
  }

  /// Tells of rows that will not be in sight after all.
  package func cancelPrefetch(_ paths: [ItemPath]) {
    let items = paths.compactMap(item(at:))
    if !items.isEmpty { onCancelPrefetch(items) }
  }

  /// Takes over that the user has dragged a row, which the view has in its new place.
  ///
  /// A drag is refused while a change is being shown. `shown` follows the view all the same, because the
  /// view asks for its rows at any time, until the view is reloaded.
  package func move(from: ItemPath, to: ItemPath) {
    if owed == nil {
      if let reorder = source.reorder(from: from, to: to) { return shown = reorder.after }
      owed = shown
      let list = WeakReference(self)
      Spawn.task { await list.object?.undoDrag() }
    }
    shown = shown.movingItem(at: from, to: to) ?? shown
  }

  private func undoDrag() async {
    await untilReleased()
    if let owed { reload(owed) }
  }
}
