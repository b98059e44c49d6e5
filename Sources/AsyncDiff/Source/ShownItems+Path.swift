extension ShownItems {
  /// The current path of an event's model; the event's own path if the model is gone.
  func path(of event: NodeEvent) -> ItemPath {
    guard let snapshot else { return event.path }
    let ids = event.model.possibleRows.lazy.compactMap {
      $0.unwrapped(as: Section.Item.self)?.diffIdentifier
    }
    let there = snapshot.itemIfPresent(at: event.path)?.diffIdentifier
    if let there, ids.contains(there) { return event.path }
    return ids.compactMap { snapshot.path(ofItem: $0) }.first ?? event.path
  }
}

extension AnyNodable {
  /// The rows that can show this model: the model itself, or a row of a tree with it.
  fileprivate var possibleRows: [AnyNodable] {
    [self, row(of: base), AnyNodable(TreeRow(item: self))]
  }

  private func row(of item: some Nodable) -> AnyNodable { AnyNodable(TreeRow(item: item)) }
}
