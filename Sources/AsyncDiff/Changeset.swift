/// The difference between two lists: what went, what came, what moved and what changed.
///
/// Deletes and the `from` of a move or update are offsets in the old list; inserts and `to` are
/// offsets in the new one. Each list is ascending.
public struct Changeset: Hashable, Sendable, Codable {
  /// An element that both lists have, with its offset in each.
  public struct Move: Hashable, Sendable, Codable {
    /// The offset in the old list.
    public var from: Int
    /// The offset in the new list.
    public var to: Int

    /// Creates a move between two offsets.
    public init(from: Int, to: Int) {
      self.from = from
      self.to = to
    }
  }

  /// Offsets in the old list of what the new list no longer has.
  public var deletes: [Int]
  /// Offsets in the new list of what the old list did not have.
  public var inserts: [Int]
  /// What changed its place among the elements that stayed.
  public var moves: [Move]
  /// What kept its identity and changed its content, moved or not.
  public var updates: [Move]

  /// Creates a changeset from its parts.
  public init(
    deletes: [Int] = [], inserts: [Int] = [], moves: [Move] = [], updates: [Move] = []
  ) {
    self.deletes = deletes
    self.inserts = inserts
    self.moves = moves
    self.updates = updates
  }
}
