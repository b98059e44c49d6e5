/// The view of one item on a surface, such as a cell, a row of a terminal or a part of a page.
///
/// A cell is built outside the surface's isolation and then passed to the surface, so it is `Sendable`: a value, an actor, or an
/// object that is isolated to the main actor.
public protocol CellNode: Sendable {}

/// A closure that builds a cell; called once for each cell, outside the surface's isolation.
public typealias NodeBlock = @Sendable () async -> any CellNode

/// An item of a list: a model that has an identity and can build its cell.
///
/// <!-- sample: struct BannerNode: CellNode { let title: String } -->
/// ```swift
/// struct Banner: Nodable {
///   let title: String
///   var diffIdentifier: String { title }
///   func nodeBlock(with channel: NodeEventChannel, at path: ItemPath) -> NodeBlock {
///     { BannerNode(title: title) }
///   }
/// }
/// ```
public protocol Nodable: Diffable, Equatable, Sendable {
  /// Returns the block that builds the cell of this item.
  ///
  /// - Parameters:
  ///   - channel: The channel to which the cell sends its events.
  ///   - path: The path of the item when the cell is built. The path becomes stale when rows move; the channel finds
  ///     the model's current path by identity.
  /// - Returns: The block, which is called once.
  func nodeBlock(with channel: NodeEventChannel, at path: ItemPath) -> NodeBlock

  /// Returns the sizes that the cell may take; called outside the surface's isolation.
  func sizeRange(in context: NodeContext) -> SizeRange
}

extension Nodable {
  /// Returns the full content width and any height.
  public func sizeRange(in context: NodeContext) -> SizeRange { context.automaticDimension }
}
