/// Which nodes are built before a surface is called.
public enum NodePolicy: Hashable, Sendable {
  /// Those of all inserted and updated rows, and none for a reload.
  case changedRows
  /// Those of the rows that the surface is about to show, also for a reload: it is asked for them.
  case onDemand
  /// None: the surface makes its own cells. What the main actor applies to a surface of the main actor is
  /// then shown in the same turn, if the lists are small.
  case none
}

/// The rows whose nodes a surface wants, and the room there is for them.
///
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
  /// The room for nodes; with it, the rows are asked for the sizes of their nodes.
  public var context: NodeContext?

  /// Creates a demand.
  ///
  /// - Parameters:
  ///   - paths: The paths of the rows.
  ///   - context: The room for nodes, if sizes are wanted, too.
  public init(paths: some Sequence<ItemPath>, context: NodeContext? = nil) {
    self.paths = Array(paths)
    self.context = context
  }
}

/// Nodes that were built together, with their sizes.
public struct NodeSet: Sendable {
  /// The nodes, by the paths of their rows.
  public var nodes: [ItemPath: any CellNode]
  /// The sizes that these nodes may take, if the demand said what room there is.
  public var sizes: [ItemPath: SizeRange]

  /// Creates a set.
  public init(nodes: [ItemPath: any CellNode] = [:], sizes: [ItemPath: SizeRange] = [:]) {
    self.nodes = nodes
    self.sizes = sizes
  }
}
