/// One stage of a change: the operations that a surface carries out at once, and the snapshot they
/// lead to.
///
/// Deletes and `from` index the state before the stage, inserts and `to` the state after it. The
/// surface replaces its data by ``snapshot`` within the stage:
///
/// <!-- sample:
/// actor PageView<Section: SectionInflator> {
///   var rows = DiffableSnapshot<Section>()
///   func highlight(_ path: ItemPath, showing node: (any CellNode)?) {}
///   …
/// }
/// -->
/// ```swift
/// func performBatchUpdates(_ batch: BatchUpdates<Section>, animated: Bool) async {
///   rows = batch.snapshot
///   for path in batch.itemInserts { highlight(path, showing: batch.nodes[path]) }
/// }
/// ```
public struct BatchUpdates<Section: SectionInflator>: Sendable {
  /// Offsets of the removed sections, with all their items.
  public var sectionDeletes: [Int] { didSet { forgetPaths() } }
  /// Offsets of the inserted sections, with all their items.
  public var sectionInserts: [Int] { didSet { forgetPaths() } }
  /// Sections that move, with their items.
  public var sectionMoves: [Changeset.Move] { didSet { forgetPaths() } }
  /// Sections whose own content changed, moved or not: redraw their headers.
  public var sectionUpdates: [Changeset.Move]
  /// Paths of the items that are removed from sections that stay.
  public var itemDeletes: [ItemPath] { didSet { forgetPaths() } }
  /// Paths of the items that are inserted into sections that stay.
  public var itemInserts: [ItemPath] { didSet { forgetPaths() } }
  /// Items that move, within a section or to another one.
  public var itemMoves: [ItemMove] { didSet { forgetPaths() } }
  /// Items whose content changed or that are marked, moved or not: redraw them.
  public var itemUpdates: [ItemMove]
  /// The snapshot that was shown before the stage.
  public let previous: DiffableSnapshot<Section>
  /// The snapshot to which the stage leads.
  public internal(set) var snapshot: DiffableSnapshot<Section>
  /// The nodes built for inserted and updated items, by their paths after the stage.
  public var nodes: [ItemPath: any CellNode]
  /// The sizes that these nodes may take, by their paths after the stage; empty if the surface
  /// named no context.
  public var sizes: [ItemPath: SizeRange] = [:]

  /// The number of items of each section before and after, if they are known.
  ///
  /// A comparison counts them in code compiled for the section's type, which `pathMap` is not.
  var itemCounts: (before: [Int], after: [Int])?

  /// The map of paths, computed at its first use.
  private var paths = Lazy<PathMap>()

  /// Creates a stage from one snapshot to another.
  ///
  /// Offsets and paths are ascending; those of deletes and `from` refer to `previous`, those of
  /// inserts and `to` to `snapshot`.
  ///
  /// - Parameters:
  ///   - previous: The snapshot before the stage.
  ///   - snapshot: The snapshot after the stage.
  ///   - sectionDeletes: Offsets of the removed sections.
  ///   - sectionInserts: Offsets of the inserted sections.
  ///   - sectionMoves: Sections that move.
  ///   - sectionUpdates: Sections whose own content changed.
  ///   - itemDeletes: Paths of the removed items.
  ///   - itemInserts: Paths of the inserted items.
  ///   - itemMoves: Items that move.
  ///   - itemUpdates: Items to redraw.
  ///   - nodes: The nodes built for inserted and updated items, by their paths after the stage.
  public init(
    from previous: DiffableSnapshot<Section>,
    to snapshot: DiffableSnapshot<Section>,
    sectionDeletes: [Int] = [],
    sectionInserts: [Int] = [],
    sectionMoves: [Changeset.Move] = [],
    sectionUpdates: [Changeset.Move] = [],
    itemDeletes: [ItemPath] = [],
    itemInserts: [ItemPath] = [],
    itemMoves: [ItemMove] = [],
    itemUpdates: [ItemMove] = [],
    nodes: [ItemPath: any CellNode] = [:]
  ) {
    self.previous = previous
    self.snapshot = snapshot
    self.sectionDeletes = sectionDeletes
    self.sectionInserts = sectionInserts
    self.sectionMoves = sectionMoves
    self.sectionUpdates = sectionUpdates
    self.itemDeletes = itemDeletes
    self.itemInserts = itemInserts
    self.itemMoves = itemMoves
    self.itemUpdates = itemUpdates
    self.nodes = nodes
  }

  private mutating func forgetPaths() { paths = Lazy() }

  /// The map between the paths before and after the stage.
  ///
  /// - Precondition: the operations lead from ``previous`` to ``snapshot``.
  /// - Complexity: O(sections + *k* log *k*) for *k* operations the first time, then O(1).
  public var pathMap: PathMap {
    paths.value {
      PathMap(
        from: itemCounts?.before ?? previous.itemCounts,
        to: itemCounts?.after ?? snapshot.itemCounts, sectionDeletes: sectionDeletes,
        sectionInserts: sectionInserts, sectionMoves: sectionMoves, itemDeletes: itemDeletes,
        itemInserts: itemInserts, itemMoves: itemMoves)
    }
  }
}

extension BatchUpdates {
  /// The number of operations.
  public var count: Int {
    sectionDeletes.count + sectionInserts.count + sectionMoves.count + sectionUpdates.count
      + itemDeletes.count + itemInserts.count + itemMoves.count + itemUpdates.count
  }

  /// The number of operations, with the rows of inserted and removed sections.
  public var rowCount: Int {
    count + sectionDeletes.reduce(0) { $0 + previous.numberOfItems(in: $1) }
      + sectionInserts.reduce(0) { $0 + snapshot.numberOfItems(in: $1) }
  }

  /// Whether the stage has no operation.
  public var isEmpty: Bool { count == 0 }
}
