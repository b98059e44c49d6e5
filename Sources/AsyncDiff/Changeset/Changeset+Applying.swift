extension Array {
  /// Returns this list with a changeset applied, in O(*n* + *k* log *k*) for *k* inserted and moved rows.
  ///
  /// ```swift
  /// let change = Changeset(from: old, to: new)
  /// print(old.applying(change, from: new) == new)  // true
  /// ```
  /// - Parameters:
  ///   - changeset: The change from this list to `new`.
  ///   - new: The new list, from which inserted and updated rows are taken.
  /// - Returns: The rows of `new`, except that each unchanged row is taken from this list.
  /// - Precondition: `changeset.isValid(from: count, to: new.count)`.
  public func applying(_ changeset: Changeset, from new: some Collection<Element>) -> [Element] {
    guard var origins = changeset.origins(from: count, to: new.count) else {
      fatalError(
        "Array.applying(_:from:): needs a changeset from \(count) rows to \(new.count); got \(changeset)"
      )
    }
    for update in changeset.updates { origins[update.to] = nil }
    return zip(origins, new).map { origin, row in origin.map { self[$0] } ?? row }
  }
}

extension Changeset {
  /// Returns whether this changeset can lead from a list of `oldCount` rows to a list of `newCount` rows.
  ///
  /// A computed changeset is always valid for its two lists. If you create a changeset from parts, check it before you apply it.
  ///
  /// <!-- sample:
  /// struct Malformed: Error {}
  /// let (rows, newRows) = (old, new)
  /// -->
  /// ```swift
  /// guard change.isValid(from: rows.count, to: newRows.count) else { throw Malformed() }
  /// ```
  /// - Parameters:
  ///   - oldCount: The number of rows before the change.
  ///   - newCount: The number of rows after the change.
  /// - Returns: Whether each part is in ascending order, all offsets are in range, no old row is both deleted and moved, no two
  ///   rows are inserted at or moved to the same offset, each update names the old and the new offset of a surviving row, and the
  ///   counts add up.
  /// - Complexity: O(*n* + *k* log *k*) for *k* inserted and moved rows.
  public func isValid(from oldCount: Int, to newCount: Int) -> Bool {
    origins(from: oldCount, to: newCount) != nil
  }

  /// The old offset of each new row (`nil` for an inserted row), or `nil` if the changeset is not valid for lists with these
  /// counts.
  func origins(from oldCount: Int, to newCount: Int) -> [Int?]? {
    guard oldCount - deletes.count + inserts.count == newCount, isAscending,
      let staying = try? StayingRows(
        leaving: deletes + moves.map(\.from), arriving: inserts + moves.map(\.to), count: oldCount)
    else { return nil }
    var origins = staying.origins(count: oldCount)
    for move in moves { origins[move.to] = move.from }
    guard
      updates.allSatisfy({ origins.indices.contains($0.to) && origins[$0.to] == $0.from })
    else { return nil }
    return origins
  }
}

extension Changeset {
  /// Returns the same change for a surface that cannot both move and update a row in one batch.
  ///
  /// ```swift
  /// let batch = Changeset(from: old, to: new).replacingMovedUpdates()
  /// ```
  /// A row that is both moved and updated is deleted and inserted instead; all other changes stay the same.
  /// `UITableView` and `UICollectionView` need this if rows are reloaded rather than reconfigured.
  ///
  /// - Returns: A changeset in which no row is both moved and updated.
  /// - Complexity: O(*n* log *n*) for *n* changes.
  public func replacingMovedUpdates() -> Changeset {
    let replaced = Set(moves).intersection(updates)
    guard !replaced.isEmpty else { return self }
    return Changeset(
      deletes: (deletes + replaced.map(\.from)).sorted(),
      inserts: (inserts + replaced.map(\.to)).sorted(),
      moves: moves.filter { !replaced.contains($0) },
      updates: updates.filter { !replaced.contains($0) })
  }
}
