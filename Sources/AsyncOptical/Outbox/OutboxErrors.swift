extension Outbox {
  /// An item with the same id is not done yet.
  public struct DuplicateItem: Error, CustomStringConvertible {
    /// The id of the item.
    public let id: Item.ID
    /// A message for the developer.
    public var description: String {
      "Outbox.send(_:): needs an id that no waiting item has; got \(id), so give each item its own id"
    }
  }

  /// The outbox was closed, so it stores and sends nothing.
  public struct Closed: Error, CustomStringConvertible {
    /// A message for the developer.
    public var description: String {
      "Outbox: this outbox was closed; create another one for its storage"
    }
  }
}
