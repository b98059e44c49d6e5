extension BatchUpdates {
  /// An updated item: before and after the stage.
  public struct ItemChange: Sendable {
    /// The item before.
    public let before: Section.Item
    /// The item after, with the same identity.
    public let after: Section.Item
    /// The paths of the item before and after.
    public let move: ItemPath.Move
  }

  /// An updated section: before and after the stage.
  public struct SectionChange: Sendable {
    /// The section before.
    public let before: ShownSection<Section>
    /// The section after.
    public let after: ShownSection<Section>
    /// The offsets of the section before and after.
    public let move: Changeset.Move
  }

  /// The updated items before and after, so that a surface redraws only what differs.
  ///
  /// <!-- sample:
  /// @MainActor func cell(at path: ItemPath) -> (titleLabel: Label, path: ItemPath) { (Label(), path) }
  /// -->
  /// ```swift
  /// for change in batch.itemChanges where change.before.title != change.after.title {
  ///   cell(at: change.move.to).titleLabel.text = change.after.title
  /// }
  /// ```
  /// - Complexity: O(updates).
  public var itemChanges: [ItemChange] {
    requireBounds()
    return operations.itemUpdates.map {
      ItemChange(before: previous.item(at: $0.from), after: snapshot.item(at: $0.to), move: $0)
    }
  }

  /// The updated sections before and after.
  ///
  /// - Complexity: O(updates).
  public var sectionChanges: [SectionChange] {
    requireBounds()
    return operations.sectionUpdates.map {
      SectionChange(
        before: previous.sections[$0.from], after: snapshot.sections[$0.to], move: $0)
    }
  }

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
