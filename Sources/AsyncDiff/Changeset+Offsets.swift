extension Changeset {
  /// Where a row of the new list was; nil if it was inserted.
  ///
  /// ```swift
  /// let oldRow = change.oldOffset(of: indexPath.item).map { old[$0] }
  /// ```
  /// - Parameter new: An offset in the new list.
  /// - Returns: An offset in the old list.
  /// - Complexity: O(*m* + log² *n*) for *m* moves.
  public func oldOffset(of new: Int) -> Int? {
    guard !inserts.contains(sorted: new) else { return nil }
    if let move = moves.first(where: { $0.to == new }) { return move.from }
    let rank = new - inserts.count(below: new) - moves.count { $0.to < new }
    return Self.offset(ofStaying: rank, leaving: deletes, moves.map(\.from))
  }

  /// Where a row of the old list is; nil if it was deleted.
  ///
  /// ```swift
  /// selection = change.newOffset(of: selection)
  /// ```
  /// - Parameter old: An offset in the old list.
  /// - Returns: An offset in the new list.
  /// - Complexity: O(*m* log *m* + log² *n*) for *m* moves.
  public func newOffset(of old: Int) -> Int? {
    guard !deletes.contains(sorted: old) else { return nil }
    if let move = moves.first(where: { $0.from == old }) { return move.to }
    let rank = old - deletes.count(below: old) - moves.count { $0.from < old }
    return Self.offset(ofStaying: rank, leaving: inserts, moves.map(\.to).sorted())
  }

  /// The offset of the row that has `rank` rows before it when those of two ascending lists are left out.
  private static func offset(ofStaying rank: Int, leaving first: [Int], _ second: [Int]) -> Int {
    partitionPoint(rank..<rank + first.count + second.count) { offset in
      offset - first.count(below: offset + 1) - second.count(below: offset + 1) >= rank
    }
  }
}

/// The first number of the range that satisfies the predicate, which holds for all after it.
private func partitionPoint(_ range: Range<Int>, where predicate: (Int) -> Bool) -> Int {
  var range = range
  while !range.isEmpty {
    let middle = range.lowerBound + range.count / 2
    range =
      predicate(middle) ? range.lowerBound..<middle : middle + 1..<range.upperBound
  }
  return range.lowerBound
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
}
