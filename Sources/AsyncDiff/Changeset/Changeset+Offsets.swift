extension Changeset {
  /// The old offset of a row of the new list; nil if the row was inserted or is out of range.
  ///
  /// <!-- sample: let indexPath = path -->
  /// ```swift
  /// let oldRow = change.oldOffset(of: indexPath.item).map { old[$0] }
  /// ```
  /// The upper bound is checked only if ``oldCount`` is known, as it is for a computed changeset.
  ///
  /// - Parameter new: An offset in the new list.
  /// - Returns: The offset in the old list, or nil.
  /// - Precondition: All parts are in ascending order.
  /// - Complexity: O(log *k*) for *k* changes, after O(*k* log *k*) for the first call if there are
  ///   moves.
  public func oldOffset(of new: Int) -> Int? {
    guard new >= 0, newCount.map({ new < $0 }) ?? true else { return nil }
    guard let cache = offsets else {
      guard !inserts.contains(sorted: new) else { return nil }
      if let move = moves.first(where: { $0.to == new }) { return move.from }
      let rank = new - inserts.count(below: new) - moves.count { $0.to < new }
      return Self.offset(ofStaying: rank, leaving: deletes, moves.map(\.from))
    }
    let table = cache.value { OffsetTable(self) }
    return table.moveOrigin(of: new) ?? table.staying.oldOffset(of: new)
  }

  /// The new offset of a row of the old list; nil if the row was deleted or is out of range.
  ///
  /// ```swift
  /// let newRow = change.newOffset(of: row)
  /// ```
  /// The upper bound is checked only if ``oldCount`` is known, as it is for a computed changeset.
  ///
  /// - Parameter old: An offset in the old list.
  /// - Returns: The offset in the new list, or nil.
  /// - Precondition: All parts are in ascending order.
  /// - Complexity: O(log *k*) for *k* changes, after O(*k* log *k*) for the first call if there are
  ///   moves.
  public func newOffset(of old: Int) -> Int? {
    guard old >= 0, oldCount.map({ old < $0 }) ?? true else { return nil }
    guard let cache = offsets else {
      guard !deletes.contains(sorted: old) else { return nil }
      if let move = moves.first(where: { $0.from == old }) { return move.to }
      let rank = old - deletes.count(below: old) - moves.count { $0.from < old }
      return Self.offset(ofStaying: rank, leaving: inserts, moves.map(\.to).sorted())
    }
    let table = cache.value { OffsetTable(self) }
    let place = partitionPoint(0..<moves.count) { moves[$0].from >= old }
    if place < moves.count, moves[place].from == old { return moves[place].to }
    return table.staying.newOffset(of: old)
  }

  /// The offset of the staying row of this rank, where two ascending lists hold the other rows'
  /// offsets.
  private static func offset(ofStaying rank: Int, leaving first: [Int], _ second: [Int]) -> Int {
    partitionPoint(rank..<rank + first.count + second.count) { offset in
      offset - first.count(below: offset + 1) - second.count(below: offset + 1) >= rank
    }
  }

  /// Whether all parts are in ascending order, as those of a computed changeset are.
  var isAscending: Bool {
    deletes.isAscending && inserts.isAscending && moves.isAscending(by: \.from)
      && updates.isAscending(by: \.from)
  }
}

/// The tables with which look-ups in a changeset with moves are fast.
@usableFromInline
struct OffsetTable: Sendable {
  let staying: StayingRows
  private let movesByTarget: [Changeset.Move]

  init(_ change: Changeset) {
    precondition(
      change.isAscending, "newOffset(of:): the changeset's parts must be in ascending order")
    movesByTarget = change.moves.sorted { $0.to < $1.to }
    staying = StayingRows(
      leaving: merge(change.deletes, change.moves.map(\.from)),
      arriving: merge(change.inserts, movesByTarget.map(\.to)))
  }

  /// The old offset of a moved row; nil if the new row was not moved.
  func moveOrigin(of new: Int) -> Int? {
    let place = partitionPoint(0..<movesByTarget.count) { movesByTarget[$0].to >= new }
    guard place < movesByTarget.count, movesByTarget[place].to == new else { return nil }
    return movesByTarget[place].from
  }
}

/// Merges two ascending lists into one.
func merge(_ first: [Int], _ second: [Int]) -> [Int] {
  if second.isEmpty { return first }
  if first.isEmpty { return second }
  var merged: [Int] = []
  merged.reserveCapacity(first.count + second.count)
  var (left, right) = (0, 0)
  while left < first.count || right < second.count {
    if right == second.count || left < first.count && first[left] <= second[right] {
      merged.append(first[left])
      left += 1
    } else {
      merged.append(second[right])
      right += 1
    }
  }
  return merged
}

extension Array {
  func isAscending(by key: (Element) -> Int) -> Bool {
    indices.dropFirst().allSatisfy { key(self[$0 - 1]) < key(self[$0]) }
  }
}

extension [Int] {
  /// The number of elements below a limit in this ascending array.
  fileprivate func count(below limit: Int) -> Int {
    partitionPoint(0..<count) { self[$0] >= limit }
  }

  fileprivate func contains(sorted element: Int) -> Bool {
    let position = count(below: element)
    return position < count && self[position] == element
  }

  var isAscending: Bool { isAscending { $0 } }
}
