/// An event of one type of model.
///
/// ```swift
/// for await event in source.events(of: Article.self) where event.action == .didSelect {
///   open(event.model)
/// }
/// ```
public struct GenericNodeEvent<Model: Nodable>: Sendable {
  /// The item, as it was shown when it happened.
  public let model: Model
  /// What happened.
  public let action: NodeEvent.Action
  /// Where the item is; where it was last, if it is gone.
  public let path: ItemPath

  /// Creates an event of a model.
  public init(model: Model, action: NodeEvent.Action, path: ItemPath) {
    self.model = model
    self.action = action
    self.path = path
  }

  /// Creates an event from one of any model; `nil` if the model is of another type.
  public init?(_ event: NodeEvent) {
    guard let model = event.model.unwrapped(as: Model.self) else { return nil }
    self.init(model: model, action: event.action, path: event.path)
  }
}

extension GenericNodeEvent: Equatable {}

extension AnyNodable {
  /// The wrapped model if it has this type; itself, if the type is `AnyNodable`.
  func unwrapped<Model: Nodable>(as type: Model.Type) -> Model? {
    (base as? Model) ?? (self as? Model)
  }
}
