import AsyncKnot

/// Carries events from cells to any number of subscribers.
///
/// A cell receives the channel when it is built, and keeps the model that it shows:
///
/// ```swift
/// channel.send(.ok(info: Vote(choice: 2)), from: poll, at: path)
/// ```
///
/// The channel of a data source finds the model's current path by identity, so a stale path does no harm. Only the
/// data source ends its channel.
public final class NodeEventChannel: Sendable {
  private let events = EventChannel<NodeEvent<AnyModel>>()
  private let locate: @Sendable (NodeEvent<AnyModel>) -> ItemPath

  /// Creates a channel without a data source, for tests of a cell.
  public convenience init() {
    self.init(locate: \.path)
  }

  init(locate: @escaping @Sendable (NodeEvent<AnyModel>) -> ItemPath) {
    self.locate = locate
  }

  /// Sends an event of a model to all subscribers, with the model's current path.
  ///
  /// The call is synchronous and may come from any thread.
  ///
  /// - Parameters:
  ///   - action: The action, such as a selection.
  ///   - model: The model that the cell shows.
  ///   - path: The path of the item when the cell was built.
  public func send(
    _ action: NodeAction, from model: some Diffable & Equatable & Sendable, at path: ItemPath
  ) {
    let stale = NodeEvent<AnyModel>(model: model, action: action, path: path)
    deliver(NodeEvent(model: model, action: action, path: locate(stale)))
  }

  /// Subscribes to all later events of one type of model, in order; `AnyNodable.self` selects all items with cells.
  public func events<Model: Diffable & Equatable & Sendable>(
    of model: Model.Type
  ) -> NodeEventSequence<Model> {
    NodeEventSequence(events: events.subscribe())
  }

  /// Sends an event whose path is current.
  func deliver(_ event: NodeEvent<AnyModel>) {
    events.send(event)
  }

  /// Ends the sequences of all subscribers, after the events that have already been sent.
  func finish() {
    events.finish()
  }
}
