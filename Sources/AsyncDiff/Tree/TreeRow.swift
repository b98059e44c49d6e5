/// An item of a tree as a row: with its level, and whether it is expanded.
///
/// It is the same row as long as it is the same item. A row that is expanded or collapsed, or changes its
/// level, is an updated one.
public struct TreeRow<Item: Diffable & Equatable & Sendable>: Diffable, Equatable, Sendable {
  /// The item.
  public let item: Item
  /// How many items are above it.
  public let level: Int
  /// Whether the items right below it are rows, too.
  public let isExpanded: Bool
  /// Whether there are items below it.
  public let hasChildren: Bool

  /// Creates a row.
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
  /// Gives the block that builds the node of the item.
  public func nodeBlock(with channel: NodeEventChannel, at path: ItemPath) -> NodeBlock {
    item.nodeBlock(with: channel, at: path)
  }

  /// Says how large the node of the item may be.
  public func sizeRange(in context: NodeContext) -> SizeRange { item.sizeRange(in: context) }
}

extension TreeRow: CustomStringConvertible {
  /// The identifier, indented by its level, after a sign that says whether it is expanded.
  public var description: String {
    let sign = hasChildren ? (isExpanded ? "▾" : "▸") : "·"
    return String(repeating: "  ", count: level) + "\(sign) \(diffIdentifier)"
  }
}
