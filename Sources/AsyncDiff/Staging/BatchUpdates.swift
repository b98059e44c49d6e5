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
  public var sectionDeletes: [Int] { didSet { forgetPaths() } }
  /// Offsets of the sections that come, with all their items.
  public var sectionInserts: [Int] { didSet { forgetPaths() } }
  /// Sections that change their place and take their items along.
  public var sectionMoves: [Changeset.Move] { didSet { forgetPaths() } }
  /// Sections of which what is shown of themselves changed, moved or not: redraw their headers.
  public var sectionUpdates: [Changeset.Move]
  /// Paths of the items that go from sections that stay.
  public var itemDeletes: [ItemPath] { didSet { forgetPaths() } }
  /// Paths of the items that come to sections that stay.
  public var itemInserts: [ItemPath] { didSet { forgetPaths() } }
  /// Items that change their place, within a section or across two.
  public var itemMoves: [ItemMove] { didSet { forgetPaths() } }
  /// Items that stay the same row and are to be drawn anew, moved or not.
  public var itemUpdates: [ItemMove]
  /// What was shown before the stage.
  public let previous: DiffableSnapshot<Section>
  /// What the stage leads to.
  public internal(set) var snapshot: DiffableSnapshot<Section>
  /// The nodes built for inserted and updated items, by the path after the stage.
  public var nodes: [ItemPath: any CellNode]
  /// The sizes that these nodes may take, by the path after the stage, if the surface has said what room
  /// there is.
  public var sizes: [ItemPath: SizeRange] = [:]

  /// Where each path leads; found when the first one is asked for.
  private var paths = Lazy<PathMap>()

  /// Creates a stage that leads from one snapshot to another.
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

  /// Where each path of the state before leads, and where each of the state after comes from.
  ///
  /// - Precondition: the operations lead from ``previous`` to ``snapshot``.
  /// - Complexity: O(sections + *k* log *k*) for *k* operations the first time, then O(1).
  public var pathMap: PathMap {
    paths.value {
      PathMap(
        from: previous.sections.map { $0.items.count },
        to: snapshot.sections.map { $0.items.count },
        sectionDeletes: sectionDeletes, sectionInserts: sectionInserts, sectionMoves: sectionMoves,
        itemDeletes: itemDeletes, itemInserts: itemInserts, itemMoves: itemMoves)
    }
  }
}

extension BatchUpdates {
  /// How many operations the stage has.
  public var count: Int {
    sectionDeletes.count + sectionInserts.count + sectionMoves.count + sectionUpdates.count
      + itemDeletes.count + itemInserts.count + itemMoves.count + itemUpdates.count
  }

  /// How many operations the stage has, with the rows of sections that come and go.
  public var rowCount: Int {
    count + sectionDeletes.reduce(0) { $0 + previous.numberOfItems(in: $1) }
      + sectionInserts.reduce(0) { $0 + snapshot.numberOfItems(in: $1) }
  }

  /// Whether the stage has no operation at all.
  public var isEmpty: Bool { count == 0 }
}
