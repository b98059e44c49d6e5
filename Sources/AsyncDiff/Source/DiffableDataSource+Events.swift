extension DiffableDataSource {
  /// Sends all subscribers an event of the item that is shown at a path.
  ///
  /// The event contains the item as it was shown. During a call to the surface, the path of `willDisplay` refers to
  /// the new snapshot, and the path of any other action to the previous one. `endDisplay` also finds an item that the
  /// last change removed from the screen. If a surface replaces its rows in the middle of a call, use
  /// ``send(_:at:in:)``.
  ///
  /// The call is synchronous and may come from any isolation. An event at a path without an item is ignored and counted in
  /// ``ignoredEvents``.
  ///
  /// - Parameters:
  ///   - action: The action, such as a selection.
  ///   - path: The path of the item.
  public func send(_ action: NodeAction, at path: ItemPath) {
    deliver(action, items.item(for: action, at: path), path)
  }

  /// Sends all subscribers an event of an item in a snapshot that the surface is showing.
  ///
  /// The call is synchronous and may come from any isolation. An event at a path outside the snapshot is ignored and counted in
  /// ``ignoredEvents``.
  ///
  /// - Parameters:
  ///   - action: The action, such as a selection.
  ///   - path: The path of the item in `snapshot`.
  ///   - snapshot: The snapshot that the surface shows at this moment.
  public func send(
    _ action: NodeAction, at path: ItemPath, in snapshot: Snapshot
  ) {
    let item = snapshot.itemIfPresent(at: path)
    if let item { items.note(action, item, at: path) }
    deliver(action, item, path)
  }

  /// The number of events that were ignored because their paths had no item.
  public var ignoredEvents: Int { items.ignored }

  /// Subscribes to all later events of one type of model, in order.
  ///
  /// There can be any number of subscriptions. A subscription begins with this call, and ends when the data source is released
  /// or the sequence is dropped. Unread events are kept without a limit.
  ///
  /// - Parameter model: The type of model; `AnyNodable.self` selects all items with cells.
  /// - Returns: The events.
  public func events<Model: Diffable & Equatable & Sendable>(
    of model: Model.Type
  ) -> NodeEventSequence<Model> {
    channel.events(of: model)
  }

  private func deliver(
    _ action: NodeAction, _ item: Section.Item?, _ path: ItemPath
  ) {
    guard let item else {
      items.countIgnored()
      return
    }
    channel.deliver(NodeEvent(model: item, action: action, path: path))
  }
}
