extension Changeset {
  /// The same change for a surface that cannot move and update a row at once.
  ///
  /// ```swift
  /// let batch = Changeset(from: old, to: new).replacingMovedUpdates()
  /// ```
  /// A row that was moved and updated becomes a delete and an insert; other updates and moves stay.
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
