/// One stage of a change: operations for one batch of a surface, and the snapshot they lead to.
///
/// Deletes and `from` are positions before the stage; inserts and `to` are positions after it. The surface replaces its data with
/// ``snapshot`` while it performs the stage:
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
@dynamicMemberLookup
public struct BatchUpdates<Section: SectionInflator>: Sendable {
  /// The operations of the stage.
  ///
  /// Their lists are also members of the stage: `batch.itemInserts` is `batch.operations.itemInserts`.
  public var operations: ListOperations
  /// The snapshot before the stage.
  public let previous: DiffableSnapshot<Section>
  /// The snapshot after the stage.
  public internal(set) var snapshot: DiffableSnapshot<Section>
  /// The cells built for inserted and updated items, keyed by the items' paths after the stage.
  public var nodes: [ItemPath: any CellNode]
  /// The sizes that the cells in ``nodes`` may take, keyed by the same paths; empty if the surface gave no context.
  public var sizes: [ItemPath: SizeRange] = [:]

  /// The number of items in each section before and after the stage; `nil` if not counted yet.
  ///
  /// A comparison counts the items in specialized code, which is many times faster than unspecialized code.
  var itemCounts: (before: [Int], after: [Int])?

  /// Creates a stage from one snapshot to another; the keys of `nodes` are the items' paths after the stage.
  public init(
    from previous: DiffableSnapshot<Section>, to snapshot: DiffableSnapshot<Section>,
    _ operations: ListOperations = ListOperations(), nodes: [ItemPath: any CellNode] = [:]
  ) {
    self.previous = previous
    self.snapshot = snapshot
    self.operations = operations
    self.nodes = nodes
  }

  /// A property of ``operations``: one of its lists, such as `batch.itemInserts`, or a property such as `batch.count`.
  public subscript<Value>(dynamicMember member: KeyPath<ListOperations, Value>) -> Value {
    operations[keyPath: member]
  }

  /// The map between the paths before and after the stage.
  ///
  /// If you need the map for several paths, read this property once and keep the map.
  ///
  /// Traps if an operation is out of bounds.
  ///
  /// - Complexity: O(sections + *k* log *k*) for *k* operations.
  public var pathMap: PathMap { previous.pathMap(through: [self]) }

  /// Traps with a message if an operation is out of bounds.
  func requireBounds() {
    operations.requireBounds(
      before: itemCounts?.before ?? previous.itemCounts,
      after: itemCounts?.after ?? snapshot.itemCounts)
  }

  /// The number of changed sections and rows, including the rows of inserted and removed sections.
  ///
  /// A row that is both moved and updated counts once, but a section that is both moved and updated counts twice.
  public var rowCount: Int {
    requireBounds()
    let (moves, updates) = (operations.itemMoves, operations.itemUpdates)
    let isInBoth = moves.isEmpty || updates.isEmpty ? [] : Set(moves).intersection(updates)
    return operations.count - isInBoth.count
      + operations.sectionDeletes.reduce(0) { $0 + previous.numberOfItems(in: $1) }
      + operations.sectionInserts.reduce(0) { $0 + snapshot.numberOfItems(in: $1) }
  }

  /// Returns the same stage for a surface that cannot both move and update a row in one batch.
  ///
  /// A row that is both moved and updated is deleted and inserted instead; all other changes stay the same.
  /// `UICollectionView` needs this if rows are reloaded rather than reconfigured.
  ///
  /// - Returns: A stage in which no row is both moved and updated.
  /// - Complexity: O(*k* log *k*) for *k* operations.
  public func replacingMovedUpdates() -> Self {
    let replaced = Set(operations.itemMoves).intersection(operations.itemUpdates)
    var batch = self
    batch.operations.itemDeletes = (operations.itemDeletes + replaced.map(\.from)).sorted()
    batch.operations.itemInserts = (operations.itemInserts + replaced.map(\.to)).sorted()
    batch.operations.itemMoves.removeAll { replaced.contains($0) }
    batch.operations.itemUpdates.removeAll { replaced.contains($0) }
    return batch
  }
}

extension BatchUpdates: CustomStringConvertible {
  /// The operations by kind, with the identifiers of the items, such as `delete section 2; move “b” [0, 2] → [1, 0]`.
  public var description: String {
    func name(_ path: ItemPath, in snapshot: DiffableSnapshot<Section>) -> String {
      snapshot.itemIfPresent(at: path).map { "“\($0.diffIdentifier)” " } ?? ""
    }
    let parts =
      self.sectionDeletes.map { "delete section \($0)" }
      + self.sectionInserts.map { "insert section \($0)" }
      + self.sectionMoves.map { "move section \($0)" }
      + self.sectionUpdates.map { "update section \($0)" }
      + self.itemDeletes.map { "delete \(name($0, in: previous))\($0)" }
      + self.itemInserts.map { "insert \(name($0, in: snapshot))\($0)" }
      + self.itemMoves.map { "move \(name($0.to, in: snapshot))\($0)" }
      + self.itemUpdates.map { "update \(name($0.to, in: snapshot))\($0)" }
    return parts.isEmpty ? "no changes" : parts.joined(separator: "; ")
  }
}

extension BatchUpdates: Equatable {
  /// Whether two stages have the same operations and equal snapshots before and after them; cells are ignored.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.operations == rhs.operations && lhs.previous == rhs.previous
      && lhs.snapshot == rhs.snapshot
  }
}
