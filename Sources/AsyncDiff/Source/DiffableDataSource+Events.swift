extension DiffableDataSource {
  /// Sends listeners an event of the item that is shown at a path.
  ///
  /// The event has the item as it was shown. While the surface is being called, `willDisplay` means
  /// a row of the new snapshot, any other action a row of the previous one. `endDisplay` also finds
  /// an item that the last change removed, if that was on screen. A surface that replaces its rows
  /// in the middle of a call can name them exactly with ``send(_:at:in:)``.
  ///
  /// The call is synchronous, from any isolation. A path where nothing is shown is ignored and
  /// counted in ``ignoredEvents``.
  ///
  /// - Parameters:
  ///   - action: What happened.
  ///   - path: The path of the item.
  public func send(_ action: NodeAction, at path: ItemPath) {
    deliver(action, items.item(for: action, at: path), path)
  }

  /// Sends listeners an event of an item of the snapshot that the surface has on screen.
  ///
  /// The call is synchronous, from any isolation. A path outside of the snapshot is ignored and
  /// counted.
  ///
  /// - Parameters:
  ///   - action: What happened.
  ///   - path: The path of the item in `snapshot`.
  ///   - snapshot: The snapshot that the surface shows at this moment.
  public func send(
    _ action: NodeAction, at path: ItemPath, in snapshot: Snapshot
  ) {
    let item = snapshot.itemIfPresent(at: path)
    if let item { items.note(action, item, at: path) }
    deliver(action, item, path)
  }

  /// The number of events whose path had no item.
  public var ignoredEvents: Int { items.ignored }

  /// The events of one type of model that are sent from now on, in order.
  ///
  /// Any number of listeners may subscribe. The subscription begins with this call and ends when
  /// the data source goes, or the sequence is dropped. Until then unread events wait, without a
  /// limit.
  ///
  /// - Parameter model: The type of model; `AnyNodable.self` stands for all that build cells.
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
