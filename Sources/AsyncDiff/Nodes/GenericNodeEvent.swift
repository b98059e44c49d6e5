/// An event of one type of model.
///
/// ```swift
/// for await event in source.events(of: Article.self) where event.action == .didSelect {
///   open(event.model)
/// }
/// ```
public struct GenericNodeEvent<Model: Nodable>: Sendable {
  /// The item as it was shown when the event happened.
  public let model: Model
  /// What happened.
  public let action: NodeEvent.Action
  /// The item's path; its last one if the item is gone.
  public let path: ItemPath

  /// Creates an event of a model.
  ///
  /// - Parameters:
  ///   - model: The item as it was shown.
  ///   - action: What happened.
  ///   - path: The item's path.
  public init(model: Model, action: NodeEvent.Action, path: ItemPath) {
    self.model = model
    self.action = action
    self.path = path
  }

  /// Creates an event from one of any model.
  ///
  /// Returns `nil` if the model has another type; every model has the type `AnyNodable`.
  ///
  /// - Parameter event: The event.
  public init?(_ event: NodeEvent) {
    guard let model = event.model.unwrapped(as: Model.self) else { return nil }
    self.init(model: model, action: event.action, path: event.path)
  }
}

extension GenericNodeEvent: Equatable {}
