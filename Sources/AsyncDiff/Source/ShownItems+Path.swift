extension ShownItems {
  /// Returns the current path of an event's model, or the event's own path if the model is no longer shown.
  func path(of event: NodeEvent<AnyModel>) -> ItemPath {
    guard let snapshot else { return event.path }
    let ids = possibleRows(of: event.model).lazy.compactMap {
      unwrapped($0, as: Section.Item.self)?.diffIdentifier
    }
    let there = snapshot.itemIfPresent(at: event.path)?.diffIdentifier
    if let there, ids.contains(there) { return event.path }
    return ids.compactMap { snapshot.path(ofItem: $0) }.first ?? event.path
  }

  /// The items that can show a model: the model itself, or a tree row that contains it.
  private func possibleRows(of model: AnyModel) -> [AnyModel] {
    let base: AnyModel = (model as? AnyNodable)?.base ?? model
    let wrapped = (base as? any Nodable).map { AnyNodable($0) }
    return [model, row(of: base)] + (wrapped.map { [row(of: $0)] } ?? [])
  }

  private func row(of item: some Diffable & Equatable & Sendable) -> AnyModel {
    TreeRow(item: item)
  }
}
