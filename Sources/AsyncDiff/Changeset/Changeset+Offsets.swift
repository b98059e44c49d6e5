extension Changeset {
  /// Where rows are after the change, and where they were before.
  ///
  /// ```swift
  /// let offsets = change.offsets
  /// let newRow = offsets.new(of: row)
  /// ```
  public struct Offsets: Sendable {
    private let moves: [Move]
    private let movesByTarget: [Move]
    private let oldCount: Int?
    private let newCount: Int?
    private let staying: StayingRows

    init(_ change: Changeset) {
      require(
        change.isAscending,
        "offsets: the changeset's parts must be in ascending order; got \(change)")
      moves = change.moves
      movesByTarget = moves.sorted { $0.to < $1.to }
      oldCount = change.oldCount
      newCount = change.newCount
      staying = change.stayingRows
    }

    /// The new offset of a row of the old list.
    ///
    /// - Parameter old: An offset in the old list.
    /// - Returns: The offset in the new list; nil if the row was deleted, or the offset is out of
    ///   range. The upper bound is checked only if the changeset knows its ``Changeset/oldCount``.
    /// - Complexity: O(log *k*) for *k* changes.
    public func new(of old: Int) -> Int? {
      guard old >= 0, oldCount.map({ old < $0 }) ?? true else { return nil }
      return moves.first(at: old, by: \.from)?.to ?? staying.newOffset(of: old)
    }

    /// The old offset of a row of the new list.
    ///
    /// - Parameter new: An offset in the new list.
    /// - Returns: The offset in the old list; nil if the row was inserted, or the offset is out of
    ///   range. The upper bound is checked only if the changeset knows its ``Changeset/oldCount``.
    /// - Complexity: O(log *k*) for *k* changes.
    public func old(of new: Int) -> Int? {
      guard new >= 0, newCount.map({ new < $0 }) ?? true else { return nil }
      return movesByTarget.first(at: new, by: \.to)?.from ?? staying.oldOffset(of: new)
    }
  }

  /// The map between the offsets before and after the change; keep it for several look-ups.
  ///
  /// - Precondition: All parts are in ascending order.
  /// - Complexity: O(*k* log *k*) for *k* changes.
  public var offsets: Offsets { Offsets(self) }

  /// The rows that neither leave their place nor arrive.
  var stayingRows: StayingRows {
    StayingRows(
      leaving: (deletes + moves.map(\.from)).sorted(),
      arriving: (inserts + moves.map(\.to)).sorted())
  }

  /// Whether all parts are in ascending order, as those of a computed changeset are.
  var isAscending: Bool {
    deletes.isAscending { $0 } && inserts.isAscending { $0 } && moves.isAscending(by: \.from)
      && updates.isAscending(by: \.from)
  }
}

extension Array {
  func isAscending(by key: (Element) -> Int) -> Bool {
    indices.dropFirst().allSatisfy { key(self[$0 - 1]) < key(self[$0]) }
  }

  /// The element with a key, in an array that ascends by it.
  func first<Key: Comparable>(at key: Key, by keyOf: (Element) -> Key) -> Element? {
    let place = partitionPoint(0..<count) { keyOf(self[$0]) >= key }
    return place < count && keyOf(self[place]) == key ? self[place] : nil
  }
}
