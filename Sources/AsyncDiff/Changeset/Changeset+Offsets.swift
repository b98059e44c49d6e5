extension Changeset {
  /// Where a row of the new list was; nil if it was inserted, or is out of range.
  ///
  /// ```swift
  /// let oldRow = change.oldOffset(of: indexPath.item).map { old[$0] }
  /// ```
  /// The range is known of changesets that were computed; of others if they were given
  /// ``oldCount``.
  ///
  /// - Parameter new: An offset in the new list.
  /// - Returns: An offset in the old list.
  /// - Precondition: All parts are in ascending order.
  /// - Complexity: O(log *k*) for *k* changes, after O(*k* log *k*) for the first one if there are moves.
  public func oldOffset(of new: Int) -> Int? {
    guard new >= 0, newCount.map({ new < $0 }) ?? true else { return nil }
    guard let cache = offsets else {
      return StayingRows(leaving: deletes, arriving: inserts).oldOffset(of: new)
    }
    let table = cache.value { OffsetTable(self) }
    return table.moveOrigin(of: new) ?? table.staying.oldOffset(of: new)
  }

  /// Where a row of the old list is; nil if it was deleted, or is out of range.
  ///
  /// ```swift
  /// selection = change.newOffset(of: selection)
  /// ```
  /// The range is known of changesets that were computed; of others if they were given
  /// ``oldCount``.
  ///
  /// - Parameter old: An offset in the old list.
  /// - Returns: An offset in the new list.
  /// - Precondition: All parts are in ascending order.
  /// - Complexity: O(log *k*) for *k* changes, after O(*k* log *k*) for the first one if there are moves.
  public func newOffset(of old: Int) -> Int? {
    guard old >= 0, oldCount.map({ old < $0 }) ?? true else { return nil }
    guard let cache = offsets else {
      return StayingRows(leaving: deletes, arriving: inserts).newOffset(of: old)
    }
    let table = cache.value { OffsetTable(self) }
    let place = partitionPoint(0..<moves.count) { moves[$0].from >= old }
    if place < moves.count, moves[place].from == old { return moves[place].to }
    return table.staying.newOffset(of: old)
  }

  /// Whether all parts are in ascending order, as those of a computed changeset are.
  var isAscending: Bool {
    deletes.isAscending && inserts.isAscending && moves.isAscending(by: \.from)
      && updates.isAscending(by: \.from)
  }
}

/// What look-ups in a changeset with moves need beside it.
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

  /// Where a new row was, if it moved.
  func moveOrigin(of new: Int) -> Int? {
    let place = partitionPoint(0..<movesByTarget.count) { movesByTarget[$0].to >= new }
    guard place < movesByTarget.count, movesByTarget[place].to == new else { return nil }
    return movesByTarget[place].from
  }
}

/// One ascending list of two.
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
  var isAscending: Bool { isAscending { $0 } }
}
