/// The operations of a stage: changes to sections and their items.
///
/// Deletes and `from` are positions before the stage; inserts and `to` are positions after it. Each list is in
/// ascending order; moves and updates are ordered by `from`.
public struct ListOperations: Hashable, Sendable {
  /// Offsets of the removed sections, with all their items.
  public var sectionDeletes: [Int]
  /// Offsets of the inserted sections, with all their items.
  public var sectionInserts: [Int]
  /// Sections that move with their items.
  public var sectionMoves: [Changeset.Move]
  /// Sections whose own content changed or that are marked, whether they moved or not; redraw their headers.
  public var sectionUpdates: [Changeset.Move]
  /// Paths of the items that are removed from sections that the stage neither removes nor moves.
  public var itemDeletes: [ItemPath]
  /// Paths of the items that are inserted into sections that the stage neither inserts nor moves.
  public var itemInserts: [ItemPath]
  /// Items that move, within a section or to another one.
  public var itemMoves: [ItemPath.Move]
  /// Items to redraw because their content changed or they are marked, whether they moved or not.
  public var itemUpdates: [ItemPath.Move]

  /// Creates operations; each list must be in ascending order.
  public init(
    sectionDeletes: [Int] = [], sectionInserts: [Int] = [], sectionMoves: [Changeset.Move] = [],
    sectionUpdates: [Changeset.Move] = [], itemDeletes: [ItemPath] = [],
    itemInserts: [ItemPath] = [], itemMoves: [ItemPath.Move] = [], itemUpdates: [ItemPath.Move] = []
  ) {
    self.sectionDeletes = sectionDeletes
    self.sectionInserts = sectionInserts
    self.sectionMoves = sectionMoves
    self.sectionUpdates = sectionUpdates
    self.itemDeletes = itemDeletes
    self.itemInserts = itemInserts
    self.itemMoves = itemMoves
    self.itemUpdates = itemUpdates
  }

  /// The number of operations.
  public var count: Int {
    sectionDeletes.count + sectionInserts.count + sectionMoves.count + sectionUpdates.count
      + itemDeletes.count + itemInserts.count + itemMoves.count + itemUpdates.count
  }

  /// The rows that stay in order, for each old section.
  func stayingRows(in sections: Changeset.Offsets, of oldCount: Int) -> [StayingRows] {
    var rows = Array(repeating: StayingRows(), count: oldCount)
    for path in itemDeletes { rows[path.section].leaving.append(path.item) }
    for path in itemInserts {
      if let old = sections.old(of: path.section) { rows[old].arriving.append(path.item) }
    }
    for move in itemMoves {
      rows[move.from.section].leaving.append(move.from.item)
      if let old = sections.old(of: move.to.section) { rows[old].arriving.append(move.to.item) }
    }
    for section in rows.indices {
      rows[section].leaving.sort()
      rows[section].arriving.sort()
    }
    return rows
  }

  /// Whether there are no operations.
  public var isEmpty: Bool { count == 0 }
}

extension ListOperations {
  /// Traps if an operation refers to a section or an item that does not exist.
  ///
  /// - Parameters:
  ///   - old: The number of items in each section before the stage.
  ///   - new: The number of items in each section after the stage.
  func requireBounds(before old: [Int], after new: [Int]) {
    func check(_ offsets: [Int], _ counts: [Int], _ name: String) {
      for offset in offsets where !counts.indices.contains(offset) {
        fatalError("\(name): \(offset) is out of bounds; the number of sections is \(counts.count)")
      }
    }
    func check(_ paths: [ItemPath], _ counts: [Int], _ name: String) {
      for path in paths where !path.isIn(counts) {
        check([path.section], counts, name)
        fatalError(
          "\(name): \(path) is out of bounds; the number of items in section "
            + "\(path.section) is \(counts[path.section])")
      }
    }
    check(sectionDeletes, old, "sectionDeletes")
    check(sectionInserts, new, "sectionInserts")
    check(sectionMoves.map(\.from), old, "sectionMoves, from")
    check(sectionMoves.map(\.to), new, "sectionMoves, to")
    check(sectionUpdates.map(\.from), old, "sectionUpdates, from")
    check(sectionUpdates.map(\.to), new, "sectionUpdates, to")
    check(itemDeletes, old, "itemDeletes")
    check(itemInserts, new, "itemInserts")
    check(itemMoves.map(\.from), old, "itemMoves, from")
    check(itemMoves.map(\.to), new, "itemMoves, to")
    check(itemUpdates.map(\.from), old, "itemUpdates, from")
    check(itemUpdates.map(\.to), new, "itemUpdates, to")
  }
}
