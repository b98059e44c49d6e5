/// What turns one list into another, in the fewest moves.
///
/// ```swift
/// let change = Changeset(from: [1, 2, 3, 4], to: [4, 1, 3], id: \.self, isContentEqual: ==)
/// change.deletes  // [1]
/// change.moves    // [Move(from: 3, to: 0)]
/// ```
/// Offsets in `deletes` and in `from` index the old list, those in `inserts` and in `to` the new one, so
/// the parts can be applied in any order. A row that survives and is not moved keeps its order among its
/// like; with unique identifiers no changeset has fewer moves. A row whose content changed is reported in
/// `updates`, also when it moved.
///
/// Rows with the same identifier pair in order: first the equal ends of the two lists, then the rest, and
/// the pairs of one identifier never cross.
public struct Changeset: Hashable, Sendable, Codable {
  /// Where a surviving row was, and where it is.
  public struct Move: Hashable, Sendable, Codable {
    /// The offset in the old list.
    public var from: Int
    /// The offset in the new list.
    public var to: Int

    /// Creates a move of the row at `from` in the old list to `to` in the new one.
    @inlinable
    public init(from: Int, to: Int) {
      self.from = from
      self.to = to
    }
  }

  /// Rows of the old list that the new one does not have, ascending.
  public var deletes: [Int]
  /// Rows of the new list that the old one does not have, ascending.
  public var inserts: [Int]
  /// Surviving rows that change their order, ascending by `from`.
  public var moves: [Move]
  /// Surviving rows whose content differs, moved or not, ascending by `from`.
  public var updates: [Move]

  /// Creates a changeset from its parts, each in ascending order.
  @inlinable
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
  public var isEmpty: Bool {
    deletes.isEmpty && inserts.isEmpty && moves.isEmpty && updates.isEmpty
  }
}
