extension DiffableDataSource {
  /// Tells listeners what happened to the item that is shown at a path.
  ///
  /// The event carries the item as it was shown. While the surface is being called, `willDisplay` means
  /// a row of what the call leads to, any other action a row of what was shown before. `endDisplay`
  /// also finds an item that the last change removed, if that was on screen. A surface that swaps its
  /// rows in the middle of a call can name them exactly with ``send(_:at:in:)``.
  ///
  /// It is synchronous, from any isolation. A path where nothing is shown is ignored and counted.
  ///
  /// - Parameters:
  ///   - action: What happened.
  ///   - path: Where.
  public nonisolated func send(_ action: NodeEvent.Action, at path: ItemPath) {
    deliver(action, items.item(for: action, at: path), path)
  }

  /// Tells listeners what happened to an item of the snapshot that the surface has on screen.
  ///
  /// - Parameters:
  ///   - action: What happened.
  ///   - path: Where, in `snapshot`.
  ///   - snapshot: What the surface shows at this moment.
  public nonisolated func send(
    _ action: NodeEvent.Action, at path: ItemPath, in snapshot: Snapshot
  ) {
    let item = snapshot.itemIfPresent(at: path)
    if let item { items.note(action, item, at: path) }
    deliver(action, item, path)
  }

  /// How many events named a path where nothing was shown.
  public nonisolated var ignoredEvents: Int { items.ignored }

  /// The events of one type of model that are sent from now on, in order.
  ///
  /// Any number of listeners may subscribe; the subscription begins with this call. It ends when the
  /// data source goes. `AnyNodable.self` stands for all types.
  ///
  /// - Parameter model: The type of model to listen to.
  /// - Returns: The events, for one loop.
  public nonisolated func events<Model: Nodable>(
    of model: Model.Type
  ) -> NodeEventSequence<Model> {
    channel.events(of: model)
  }

  private nonisolated func deliver(
    _ action: NodeEvent.Action, _ item: Section.Item?, _ path: ItemPath
  ) {
    guard let item else {
      items.countIgnored()
      return
    }
    channel.deliver(NodeEvent(model: item, action: action, path: path))
  }
}
