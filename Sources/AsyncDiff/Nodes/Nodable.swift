/// The view of one item on a surface: a cell, a row of a terminal, a part of a page.
///
/// A cell is built away from the surface's isolation and passed to it, so it is `Sendable`: a
/// value, an actor, or an object of the main actor.
public protocol CellNode: Sendable {}

/// Builds a cell; called once for each cell, away from the surface's isolation.
public typealias NodeBlock = @Sendable () async -> any CellNode

/// An item of a list: a model with an identity that knows how to build its cell.
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
  /// The block that builds the cell of this item.
  ///
  /// - Parameters:
  ///   - channel: The channel to which the cell sends its events.
  ///   - path: The path of the item when the cell is built. It becomes stale when rows move; the
  ///     channel finds the current path of the model by identity.
  /// - Returns: The block, which is called once.
  func nodeBlock(with channel: NodeEventChannel, at path: ItemPath) -> NodeBlock

  /// The sizes that the cell may take; called away from the surface's isolation.
  ///
  /// - Parameter context: The room for the cell.
  /// - Returns: The sizes.
  func sizeRange(in context: NodeContext) -> SizeRange
}

extension Nodable {
  /// The full content width, and any height.
  ///
  /// - Parameter context: The room for the cell.
  /// - Returns: The sizes.
  public func sizeRange(in context: NodeContext) -> SizeRange { context.automaticDimension }
}
