import AsyncDiff
import TerminalUI

/// The changes of the rows since the last key, by the identifiers of the rows.
struct ChangeMarks: Equatable {
  enum Direction { case up, down }

  private(set) var inserted: Set<AnyNodable.DiffIdentifier> = []
  private(set) var updated: Set<AnyNodable.DiffIdentifier> = []
  private(set) var moved: [AnyNodable.DiffIdentifier: Direction] = [:]
  private(set) var headers: Set<FeedSection.ID> = []
  private(set) var deletes = 0

  /// Adds a row that the user dragged.
  mutating func add(_ id: AnyNodable.DiffIdentifier, dragged direction: Direction) {
    moved[id] = direction
  }

  /// Adds the changes of one stage.
  mutating func add(_ batch: BatchUpdates<FeedSection>, before: DiffableSnapshot<FeedSection>) {
    let after = batch.snapshot
    for section in batch.sectionInserts {
      inserted.formUnion(after.items(in: section).map(\.diffIdentifier))
    }
    inserted.formUnion(batch.itemInserts.map { after.item(at: $0).diffIdentifier })
    updated.formUnion(batch.itemUpdates.map { after.item(at: $0.to).diffIdentifier })
    for move in batch.itemMoves {
      moved[after.item(at: move.to).diffIdentifier] = move.to < move.from ? .up : .down
    }
    for move in batch.sectionMoves {
      for item in after.items(in: move.to) {
        moved[item.diffIdentifier] = move.to < move.from ? .up : .down
      }
    }
    headers.formUnion(batch.sectionUpdates.map { after.sections[$0.to].diffIdentifier })
    deletes += batch.itemDeletes.count
    deletes += batch.sectionDeletes.reduce(0) { $0 + before.numberOfItems(in: $1) }
  }

  /// Returns two characters: one that marks an insert or a change, and one with the direction of a move.
  func gutter(of id: AnyNodable.DiffIdentifier) -> String {
    let change = inserted.contains(id) ? "+" : updated.contains(id) ? "~" : " "
    let move = moved[id].map { $0 == .up ? "↑" : "↓" } ?? " "
    return change + move
  }

  func gutter(of header: FeedSection.ID) -> String { headers.contains(header) ? "~ " : "  " }

  func style(of id: AnyNodable.DiffIdentifier) -> Style {
    inserted.contains(id) ? Style(.green, .bold) : Style(.yellow, .bold)
  }

  var summary: String {
    let counts = [
      (inserted.count, "inserted"), (deletes, "deleted"), (moved.count, "moved"),
      (updated.count, "changed"), (headers.count, headers.count == 1 ? "header" : "headers"),
    ]
    return counts.filter { $0.0 > 0 }.map { "\($0) \($1)" }.joined(separator: ", ")
  }
}
