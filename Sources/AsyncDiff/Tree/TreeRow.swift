/// A row of a tree: an item with its level, and whether it is expanded.
///
/// The row has the identity of its item. A row that is expanded, collapsed or moved to another level counts as
/// updated.
public struct TreeRow<Item: Diffable & Equatable & Sendable>: Diffable, Equatable, Sendable {
  /// The item.
  public let item: Item
  /// The number of the item's ancestors.
  public let level: Int
  /// Whether the item is expanded, so that its children are rows, too.
  public let isExpanded: Bool
  /// Whether the item has children.
  public let hasChildren: Bool

  /// Creates a row for an item.
  public init(item: Item, level: Int = 0, isExpanded: Bool = false, hasChildren: Bool = false) {
    self.item = item
    self.level = level
    self.isExpanded = isExpanded
    self.hasChildren = hasChildren
  }

  /// The identifier of the item.
  public var diffIdentifier: Item.DiffIdentifier { item.diffIdentifier }
}

extension TreeRow: Hashable where Item: Hashable {}
extension TreeRow: Encodable where Item: Encodable {}
extension TreeRow: Decodable where Item: Decodable {}

extension TreeRow: Nodable where Item: Nodable {
  /// Returns the block that builds the cell of the item.
  public func nodeBlock(with channel: NodeEventChannel, at path: ItemPath) -> NodeBlock {
    item.nodeBlock(with: channel, at: path)
  }

  /// Returns the sizes that the cell of the item may take.
  public func sizeRange(in context: NodeContext) -> SizeRange { item.sizeRange(in: context) }
}

extension TreeRow: ModelRow {
  var model: AnyModel { item }
}

extension TreeRow: CustomStringConvertible {
  /// A sign that shows whether the row is expanded, and the identifier, both indented by the level.
  public var description: String {
    let sign = hasChildren ? (isExpanded ? "▾" : "▸") : "·"
    return String(repeating: "  ", count: level) + "\(sign) \(diffIdentifier)"
  }
}
