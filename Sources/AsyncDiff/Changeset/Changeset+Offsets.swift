extension Changeset {
  /// The map between the offsets before and after a change.
  ///
  /// ```swift
  /// let offsets = change.offsets(from: old.count)
  /// let newRow = offsets.new(of: row)
  /// ```
  public struct Offsets: Sendable {
    private let moves: [Move]
    private let movesByTarget: [Move]
    private let oldCount: Int
    private let newCount: Int
    private let staying: StayingRows

    init(_ change: Changeset, oldCount: Int) {
      require(
        change.isAscending,
        "offsets(from:): needs a changeset with its parts in ascending order; got \(change)")
      moves = change.moves
      movesByTarget = moves.sorted { $0.to < $1.to }
      self.oldCount = oldCount
      newCount = oldCount - change.deletes.count + change.inserts.count
      staying = StayingRows(
        leaving: (change.deletes + moves.map(\.from)).sorted(),
        arriving: (change.inserts + moves.map(\.to)).sorted())
    }

    /// The new offset of an old row, found in O(log *k*) for *k* changes; `nil` if the row was deleted or is out of range.
    public func new(of old: Int) -> Int? {
      guard old >= 0, old < oldCount else { return nil }
      return moves.first(at: old, by: \.from)?.to ?? staying.newOffset(of: old)
    }

    /// The old offset of a new row, found in O(log *k*) for *k* changes; `nil` if the row was inserted or is out of range.
    public func old(of new: Int) -> Int? {
      guard new >= 0, new < newCount else { return nil }
      return movesByTarget.first(at: new, by: \.to)?.from ?? staying.oldOffset(of: new)
    }
  }

  /// Returns a map between the offsets before and after the change.
  ///
  /// If you look up several offsets, create the map once and keep it.
  ///
  /// - Parameter oldCount: The number of rows before the change.
  /// - Returns: The map, in both directions.
  /// - Precondition: All parts are in ascending order.
  /// - Complexity: O(*k* log *k*) for *k* changes.
  public func offsets(from oldCount: Int) -> Offsets { Offsets(self, oldCount: oldCount) }

  /// Whether each part is in ascending order, as in every computed changeset.
  var isAscending: Bool {
    deletes.isAscending { $0 } && inserts.isAscending { $0 } && moves.isAscending(by: \.from)
      && updates.isAscending(by: \.from)
  }
}

extension Array {
  func isAscending(by key: (Element) -> Int) -> Bool {
    indices.dropFirst().allSatisfy { key(self[$0 - 1]) < key(self[$0]) }
  }

  /// Returns the first element with the key `key`, or `nil` if there is none; the array must be sorted by key.
  func first<Key: Comparable>(at key: Key, by keyOf: (Element) -> Key) -> Element? {
    let place = partitionPoint(0..<count) { keyOf(self[$0]) >= key }
    return place < count && keyOf(self[place]) == key ? self[place] : nil
  }
}

extension [Bool] {
  /// Creates an array that is `true` at the given offsets and `false` elsewhere.
  init(count: Int, trueAt offsets: [Int]) {
    self.init(repeating: false, count: count)
    for offset in offsets { self[offset] = true }
  }
}
