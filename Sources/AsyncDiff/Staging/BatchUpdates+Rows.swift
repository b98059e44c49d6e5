extension BatchUpdates {
  /// The same stage for a surface that cannot move and update a row at once.
  ///
  /// A row that was moved and updated becomes a delete and an insert; other updates and moves stay.
  /// `UICollectionView` needs this if rows are reloaded rather than reconfigured.
  ///
  /// - Returns: A stage in which no row is both moved and updated.
  /// - Complexity: O(*k* log *k*) for *k* operations.
  public func replacingMovedUpdates() -> Self {
    let replaced = Set(operations.itemMoves).intersection(operations.itemUpdates)
    var batch = self
    batch.operations.itemDeletes = (operations.itemDeletes + replaced.map(\.from)).sorted()
    batch.operations.itemInserts = (operations.itemInserts + replaced.map(\.to)).sorted()
    batch.operations.itemMoves.removeAll { replaced.contains($0) }
    batch.operations.itemUpdates.removeAll { replaced.contains($0) }
    return batch
  }
}

extension BatchUpdates: CustomStringConvertible {
  /// The operations, one kind after another, with identifiers: `delete “a” [0, 1]; move “b” [0, 2] → [1, 0]`.
  public var description: String {
    func before(_ path: ItemPath) -> String {
      previous.itemIfPresent(at: path).map { "“\($0.diffIdentifier)” " } ?? ""
    }
    func after(_ path: ItemPath) -> String {
      snapshot.itemIfPresent(at: path).map { "“\($0.diffIdentifier)” " } ?? ""
    }
    let parts =
      self.sectionDeletes.map { "delete section \($0)" }
      + self.sectionInserts.map { "insert section \($0)" }
      + self.sectionMoves.map { "move section \($0)" }
      + self.sectionUpdates.map { "update section \($0)" }
      + self.itemDeletes.map { "delete \(before($0))\($0)" }
      + self.itemInserts.map { "insert \(after($0))\($0)" }
      + self.itemMoves.map { "move \(after($0.to))\($0)" }
      + self.itemUpdates.map { "update \(after($0.to))\($0)" }
    return parts.isEmpty ? "no changes" : parts.joined(separator: "; ")
  }
}

extension BatchUpdates: Equatable {
  /// Whether both lead from equal snapshots to equal snapshots by the same operations; nodes do not count.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.operations == rhs.operations && lhs.previous == rhs.previous
      && lhs.snapshot == rhs.snapshot
  }
}
