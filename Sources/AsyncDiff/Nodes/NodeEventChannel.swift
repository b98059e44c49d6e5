import AsyncKnot

/// Carries events from cells to any number of listeners.
///
/// A cell receives the channel when it is built, and keeps the model that it shows:
///
/// ```swift
/// channel.send(.ok(info: Vote(choice: 2)), from: poll, at: path)
/// ```
///
/// The channel of a data source finds the current path of the model by identity, so a stale path
/// does no harm. `send` is synchronous, from any thread. Only the data source ends its channel.
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

  /// Sends an event of a model to all listeners, with the current path of the model.
  ///
  /// The call is synchronous, from any thread.
  ///
  /// - Parameters:
  ///   - action: What happened.
  ///   - model: The model that the cell shows.
  ///   - path: The path of the item when the cell was built.
  public func send(
    _ action: NodeAction, from model: some Diffable & Equatable & Sendable, at path: ItemPath
  ) {
    let stale = NodeEvent<AnyModel>(model: model, action: action, path: path)
    deliver(NodeEvent(model: model, action: action, path: locate(stale)))
  }

  /// The events of one type of model that are sent from now on, in order.
  ///
  /// - Parameter model: The type of model; `AnyNodable.self` stands for all that build cells.
  /// - Returns: The events; the subscription begins with this call.
  public func events<Model: Diffable & Equatable & Sendable>(
    of model: Model.Type
  ) -> NodeEventSequence<Model> {
    NodeEventSequence(events: events.subscribe())
  }

  /// Sends an event whose path is current.
  func deliver(_ event: NodeEvent<AnyModel>) {
    events.send(event)
  }

  /// Ends all listeners' sequences, after the events that were sent.
  func finish() {
    events.finish()
  }
}
