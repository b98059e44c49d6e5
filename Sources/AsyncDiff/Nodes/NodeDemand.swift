/// The rows whose cells a surface needs, and the space for these cells.
///
/// <!-- sample: let bounds = SizeRange.Size(width: 320, height: 480) -->
/// ```swift
/// func nodeDemand(for snapshot: DiffableSnapshot<HomeSection>) async -> NodeDemand {
///   NodeDemand(
///     paths: snapshot.paths.prefix(20),
///     context: NodeContext(containerSize: .init(width: bounds.width, height: bounds.height)))
/// }
/// ```
public struct NodeDemand: Hashable, Sendable {
  /// The paths of the rows.
  public var paths: [ItemPath]
  /// The space for the cells; if you set this property, the sizes of the cells are also computed.
  public var context: NodeContext?

  /// Creates a demand; if you pass a context, the sizes of the cells are also computed.
  public init(paths: some Sequence<ItemPath>, context: NodeContext? = nil) {
    self.paths = Array(paths)
    self.context = context
  }
}

extension NodeDemand {
  /// The rule that decides which cells are built before a surface is called.
  public enum Policy: Hashable, Sendable {
    /// The cells of all inserted rows, and of all updated rows except reconfigured ones; none for a reload.
    case changedRows
    /// The cells of the rows that the surface's `nodeDemand(for:)` returns: all of these rows for a reload, otherwise only those
    /// that `changedRows` also selects.
    case onDemand
    /// No cells: the surface makes its own.
    ///
    /// With this policy, `apply` calls the surface immediately if the surface and the caller are on the main actor and each list
    /// has at most 100 sections and 1,000 items, except on Apple platforms before version 26.
    case none
  }
}

/// Cells that were built together, with their sizes.
public struct NodeSet: Sendable {
  /// The cells, keyed by the paths of their rows.
  public var nodes: [ItemPath: any CellNode]
  /// The sizes that these cells may take; empty if the demand had no context.
  public var sizes: [ItemPath: SizeRange]

  /// Creates a set of cells and their sizes; the keys are the paths of the rows.
  public init(nodes: [ItemPath: any CellNode] = [:], sizes: [ItemPath: SizeRange] = [:]) {
    self.nodes = nodes
    self.sizes = sizes
  }
}
