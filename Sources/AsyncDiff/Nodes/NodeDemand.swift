/// The rows whose cells a surface needs, and the room for them.
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
  /// The room for cells; if it is set, the sizes of the cells are computed, too.
  public var context: NodeContext?

  /// Creates a demand.
  ///
  /// - Parameters:
  ///   - paths: The paths of the rows.
  ///   - context: The room for cells, if sizes are wanted, too.
  public init(paths: some Sequence<ItemPath>, context: NodeContext? = nil) {
    self.paths = Array(paths)
    self.context = context
  }
}

extension NodeDemand {
  /// Which cells are built before a surface is called.
  public enum Policy: Hashable, Sendable {
    /// The cells of all inserted and updated rows, and none for a reload.
    case changedRows
    /// The cells of the rows that the surface's `nodeDemand(for:)` names, also for a reload.
    case onDemand
    /// No nodes: the surface makes its own cells.
    ///
    /// A snapshot that the main actor applies to a main-actor surface is then shown in the same turn,
    /// if the lists are small.
    case none
  }
}

/// Cells that were built together, with their sizes.
public struct NodeSet: Sendable {
  /// The cells, by the paths of their rows.
  public var nodes: [ItemPath: any CellNode]
  /// The sizes that these cells may take; empty if the demand had no context.
  public var sizes: [ItemPath: SizeRange]

  /// Creates a set.
  ///
  /// - Parameters:
  ///   - nodes: The cells, by the paths of their rows.
  ///   - sizes: The sizes of the cells.
  public init(nodes: [ItemPath: any CellNode] = [:], sizes: [ItemPath: SizeRange] = [:]) {
    self.nodes = nodes
    self.sizes = sizes
  }
}
