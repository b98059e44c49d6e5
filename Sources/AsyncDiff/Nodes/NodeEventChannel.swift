import AsyncKnot

/// Where nodes send what happens to them, and where any number of listeners hear of it.
///
/// A node gets the channel when it is built, and keeps the model that it shows:
///
/// ```swift
/// channel.send(.ok(info: Vote(choice: 2)), from: poll, at: path)
/// ```
///
/// The channel of a data source finds by identity where the model is now, so a path that went stale
/// does no harm. `send` is synchronous, from any thread. Nobody but the data source ends a channel.
public final class NodeEventChannel: Sendable {
  private let events = EventChannel<NodeEvent>()
  private let locate: @Sendable (NodeEvent) -> ItemPath

  /// Creates a channel without a data source, as a test of a node needs it.
  public convenience init() {
    self.init(locate: \.path)
  }

  init(locate: @escaping @Sendable (NodeEvent) -> ItemPath) {
    self.locate = locate
  }

  /// Sends an event to all listeners.
  public func send(_ event: NodeEvent) {
    deliver(NodeEvent(model: event.model, action: event.action, path: locate(event)))
  }

  /// Sends what happened to a model.
  ///
  /// - Parameters:
  ///   - action: What happened.
  ///   - model: The model that the node shows.
  ///   - path: Where it was when the node was built.
  public func send(_ action: NodeEvent.Action, from model: some Nodable, at path: ItemPath) {
    send(NodeEvent(model: model, action: action, path: path))
  }

  /// The events of one type of model that are sent from now on, in order.
  ///
  /// `AnyNodable.self` stands for all types.
  public func events<Model: Nodable>(of model: Model.Type) -> NodeEventSequence<Model> {
    NodeEventSequence(events: events.subscribe())
  }

  /// Sends an event whose path is known to be right.
  func deliver(_ event: NodeEvent) {
    events.send(event)
  }

  /// Ends all listeners' sequences, after what was sent.
  func finish() {
    events.finish()
  }
}
