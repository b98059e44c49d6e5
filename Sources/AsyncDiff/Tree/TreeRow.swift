/// An item of a tree as a row: with its level, and whether it is expanded.
///
/// The identity of the row is that of its item. A row that is expanded or collapsed, or changes its
/// level, counts as updated.
public struct TreeRow<Item: Diffable & Equatable & Sendable>: Diffable, Equatable, Sendable {
  /// The item.
  public let item: Item
  /// The number of items above it.
  public let level: Int
  /// Whether the items directly below it are rows, too.
  public let isExpanded: Bool
  /// Whether there are items below it.
  public let hasChildren: Bool

  /// Creates a row.
  ///
  /// - Parameters:
  ///   - item: The item.
  ///   - level: The number of items above it.
  ///   - isExpanded: Whether the items directly below it are rows.
  ///   - hasChildren: Whether there are items below it.
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
  /// The block that builds the cell of the item.
  ///
  /// - Parameters:
  ///   - channel: The channel to which the cell sends its events.
  ///   - path: The path of the row when the cell is built.
  /// - Returns: The block.
  public func nodeBlock(with channel: NodeEventChannel, at path: ItemPath) -> NodeBlock {
    item.nodeBlock(with: channel, at: path)
  }

  /// The sizes that the cell of the item may take.
  ///
  /// - Parameter context: The room for the cell.
  /// - Returns: The sizes.
  public func sizeRange(in context: NodeContext) -> SizeRange { item.sizeRange(in: context) }
}

extension TreeRow: ModelRow {
  var model: AnyModel { item }
}

extension TreeRow: CustomStringConvertible {
  /// The identifier, indented by the level, after a sign that shows whether the row is expanded.
  public var description: String {
    let sign = hasChildren ? (isExpanded ? "▾" : "▸") : "·"
    return String(repeating: "  ", count: level) + "\(sign) \(diffIdentifier)"
  }
}
