/// What a surface shows for one item: a cell, a row of a terminal, a piece of a page.
///
/// A node is built away from the surface's isolation and handed to it, so it is `Sendable`:
/// a value, an actor, or an object of the main actor.
public protocol CellNode: Sendable {}

/// Builds a node; called away from the surface's isolation, once for each node.
public typealias NodeBlock = @Sendable () async -> any CellNode

/// An item of a list: a model with an identity that knows how to build its node.
///
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
  /// Gives the block that builds the node of this item.
  ///
  /// - Parameters:
  ///   - channel: Where the node sends what the user does with it.
  ///   - path: Where the item is when the node is built. It goes stale when rows move: events find
  ///     the path of their model by identity.
  /// - Returns: The block, which is called once.
  func nodeBlock(with channel: NodeEventChannel, at path: ItemPath) -> NodeBlock

  /// Says how large the node may be.
  func sizeRange(in context: NodeContext) -> SizeRange
}

extension Nodable {
  /// The full content width, and the height that the node wants.
  public func sizeRange(in context: NodeContext) -> SizeRange { context.automaticDimension }
}
