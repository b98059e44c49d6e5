/// A whole change from one snapshot to another: its stages, and the map of paths through all of
/// them.
///
/// ```swift
/// let change = shown.change(to: received)
/// for stage in change.stages { try await surface.performBatchUpdates(stage, animated: true) }
/// await surface.select(change.newPaths(of: selection))
/// await surface.scroll(to: change.anchor(near: topRow))
/// ```
public struct SnapshotChange<Section: SectionInflator>: Sendable {
  /// The snapshot before the change.
  public let previous: DiffableSnapshot<Section>
  /// The snapshot after the change.
  public let snapshot: DiffableSnapshot<Section>
  /// The stages between the snapshots; none if both show the same.
  public let stages: [BatchUpdates<Section>]
  private let maps: [PathMap]

  @usableFromInline
  init(
    from previous: DiffableSnapshot<Section>, to snapshot: DiffableSnapshot<Section>,
    stages: [BatchUpdates<Section>]
  ) {
    self.previous = previous
    self.snapshot = snapshot
    self.stages = stages
    maps = stages.map(\.pathMap)
  }

  /// The number of operations of all stages.
  public var count: Int { stages.reduce(0) { $0 + $1.count } }

  /// Whether both snapshots show the same.
  public var isEmpty: Bool { stages.isEmpty }
}

extension DiffableSnapshot {
  /// The whole change from this snapshot to another.
  ///
  /// - Parameter new: The snapshot after the change.
  /// - Returns: The stages of ``batches(to:)``, and the map of paths through them.
  /// - Complexity: That of ``batches(to:)``.
  @inlinable
  public func change(to new: DiffableSnapshot) -> SnapshotChange<Section> {
    SnapshotChange(from: self, to: new, stages: batches(to: new))
  }
}

extension SnapshotChange: PathMapping {
  /// The new path of an item.
  ///
  /// - Parameter old: The path before.
  /// - Returns: The path after; nil if the item is removed, or the path is out of range.
  /// - Complexity: O(log *k*) for *k* operations.
  public func newPath(of old: ItemPath) -> ItemPath? {
    guard previous.itemIfPresent(at: old) != nil else { return nil }
    return maps.reduce(old) { path, map in path.flatMap(map.newPath(of:)) }
  }

  /// The old path of an item.
  ///
  /// - Parameter new: The path after.
  /// - Returns: The path before; nil if the item is inserted, or the path is out of range.
  /// - Complexity: O(log *k*) for *k* operations.
  public func oldPath(of new: ItemPath) -> ItemPath? {
    guard snapshot.itemIfPresent(at: new) != nil else { return nil }
    return maps.reversed().reduce(new) { path, map in path.flatMap(map.oldPath(of:)) }
  }

  /// The number of items of each section before the change.
  ///
  /// - Complexity: O(1); O(sections) if the change is empty.
  public var itemCountsBefore: [Int] { maps.first?.oldCounts ?? previous.itemCounts }
}

extension SnapshotChange: CustomStringConvertible {
  /// The stages, one after another.
  public var description: String {
    stages.isEmpty ? "no changes" : stages.map(\.description).joined(separator: "\nthen ")
  }
}
