/// An item that two snapshots have, with its path in each.
public struct ItemMove: Hashable, Sendable, Codable {
  /// The path before.
  public var from: ItemPath
  /// The path after.
  public var to: ItemPath

  /// Creates a move between two paths.
  public init(from: ItemPath, to: ItemPath) {
    self.from = from
    self.to = to
  }
}

/// One stage of a change: what a surface carries out at once, and the snapshot that it leads to.
///
/// Deletes and `from` index the state before the stage, inserts and `to` the state after it.
/// The surface swaps its data for ``snapshot`` within the stage:
///
/// ```swift
/// func performBatchUpdates(_ batch: BatchUpdates<Section>, animated: Bool) async {
///   rows = batch.snapshot
///   for path in batch.itemInserts { highlight(path, showing: batch.nodes[path]) }
/// }
/// ```
public struct BatchUpdates<Section: SectionInflator>: Sendable {
  /// Offsets of the sections that go, with all their items.
  public var sectionDeletes: [Int]
  /// Offsets of the sections that come, with all their items.
  public var sectionInserts: [Int]
  /// Sections that change their place and take their items along.
  public var sectionMoves: [Changeset.Move]
  /// Paths of the items that go from sections that stay.
  public var itemDeletes: [ItemPath]
  /// Paths of the items that come to sections that stay.
  public var itemInserts: [ItemPath]
  /// Items that change their place, within a section or across two.
  public var itemMoves: [ItemMove]
  /// Items that stay the same row and are to be drawn anew, moved or not.
  public var itemUpdates: [ItemMove]
  /// What the stage leads to.
  public var snapshot: DiffableSnapshot<Section>
  /// The nodes built for inserted and updated items, by the path after the stage.
  public var nodes: [ItemPath: any CellNode]

  /// Creates a stage that leads to a snapshot.
  public init(
    snapshot: DiffableSnapshot<Section>,
    sectionDeletes: [Int] = [],
    sectionInserts: [Int] = [],
    sectionMoves: [Changeset.Move] = [],
    itemDeletes: [ItemPath] = [],
    itemInserts: [ItemPath] = [],
    itemMoves: [ItemMove] = [],
    itemUpdates: [ItemMove] = [],
    nodes: [ItemPath: any CellNode] = [:]
  ) {
    self.snapshot = snapshot
    self.sectionDeletes = sectionDeletes
    self.sectionInserts = sectionInserts
    self.sectionMoves = sectionMoves
    self.itemDeletes = itemDeletes
    self.itemInserts = itemInserts
    self.itemMoves = itemMoves
    self.itemUpdates = itemUpdates
    self.nodes = nodes
  }
}

extension BatchUpdates {
  /// How many operations the stage has.
  public var count: Int {
    sectionDeletes.count + sectionInserts.count + sectionMoves.count
      + itemDeletes.count + itemInserts.count + itemMoves.count + itemUpdates.count
  }

  /// Whether the stage has no operation at all.
  public var isEmpty: Bool { count == 0 }
}
