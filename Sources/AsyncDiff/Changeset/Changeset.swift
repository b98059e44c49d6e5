/// The change from one list to another, with the fewest moves.
///
/// ```swift
/// let change = Changeset(from: [1, 2, 3, 4], to: [4, 1, 3], id: \.self, isContentEqual: ==)
/// print(change.deletes)  // [1]
/// print(change.moves)    // [3 → 0]
/// ```
/// `deletes` and `from` are offsets in the old list; `inserts` and `to` are offsets in the new list, as in a batch update of a
/// collection view. To apply a changeset to an array, call `applying(_:from:)` on the array. Surviving rows that do not move keep
/// their relative order. If identifiers are unique, no changeset has fewer moves. A row whose content changed is in `updates`,
/// even if it moved.
///
/// If several rows have the same identifier, as many old rows as possible are paired with new rows: first at both ends of the
/// lists, then rows that are near each other, and then the remaining rows in order.
public struct Changeset: Hashable, Sendable {
  /// The old and the new offset of a surviving row.
  public typealias Move = AsyncDiff.Move<Int>

  /// The offsets of rows that only the old list has, ascending.
  public let deletes: [Int]
  /// The offsets of rows that only the new list has, ascending.
  public let inserts: [Int]
  /// The surviving rows that move, ascending by `from`.
  public let moves: [Move]
  /// The surviving rows whose content differs, whether they move or not, ascending by `from`.
  public let updates: [Move]

  /// Creates a changeset from its parts, each in ascending order; moves and updates are ordered by `from`.
  public init(
    deletes: [Int] = [], inserts: [Int] = [], moves: [Move] = [], updates: [Move] = []
  ) {
    self.deletes = deletes
    self.inserts = inserts
    self.moves = moves
    self.updates = updates
  }

  /// The number of changes: deletes, inserts, moves and updates.
  public var count: Int { deletes.count + inserts.count + moves.count + updates.count }

  /// Whether the lists have the same rows with the same content in the same order.
  public var isEmpty: Bool { count == 0 }
}

extension Changeset: CustomStringConvertible {
  /// The changes in one line, such as `deletes 1, 2; inserts 0; moves 3 → 0`.
  public var description: String {
    let parts = [
      ("deletes", deletes.map { "\($0)" }), ("inserts", inserts.map { "\($0)" }),
      ("moves", moves.map { "\($0)" }), ("updates", updates.map { "\($0)" }),
    ]
    let told = parts.filter { !$0.1.isEmpty }.map { "\($0.0) \($0.1.joined(separator: ", "))" }
    return told.isEmpty ? "no changes" : told.joined(separator: "; ")
  }
}
