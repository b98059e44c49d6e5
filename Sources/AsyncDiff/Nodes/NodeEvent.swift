/// An event of an item, with the model as it was shown.
///
/// ```swift
/// for await event in source.events(of: Article.self) where event.action == .didSelect {
///   open(event.model)
/// }
/// ```
public struct NodeEvent<Model: Sendable>: Sendable {
  /// The item as it was shown when the event happened.
  public let model: Model
  /// The action.
  public let action: NodeAction
  /// The item's path, or its last path if it is no longer shown.
  public let path: ItemPath

  /// Creates an event of an item as it was shown at a path.
  public init(model: Model, action: NodeAction, path: ItemPath) {
    self.model = model
    self.action = action
    self.path = path
  }
}

extension NodeEvent: Equatable where Model: Equatable {}

/// An item of any type.
typealias AnyModel = any Diffable & Equatable & Sendable

extension NodeEvent<AnyModel> {
  /// Returns the event for subscribers to one type of model; `nil` if the model has a different type.
  func of<Other>(_ type: Other.Type) -> NodeEvent<Other>? {
    unwrapped(model, as: type).map { NodeEvent<Other>(model: $0, action: action, path: path) }
  }
}
