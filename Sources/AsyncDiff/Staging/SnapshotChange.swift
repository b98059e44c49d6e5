/// A whole change from one snapshot to another: its stages, and where each path leads through all of them.
///
/// ```swift
/// let change = shown.change(to: received)
/// for stage in change.stages { try await surface.performBatchUpdates(stage, animated: true) }
/// await surface.select(change.newPaths(of: selection))
/// await surface.scroll(to: change.anchor(near: topRow))
/// ```
public struct SnapshotChange<Section: SectionInflator>: Sendable {
  /// What was shown.
  public let previous: DiffableSnapshot<Section>
  /// What is shown at the end.
  public let snapshot: DiffableSnapshot<Section>
  /// What leads from the one to the other; nothing if both show the same.
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

  /// How many operations all stages have.
  public var count: Int { stages.reduce(0) { $0 + $1.count } }

  /// Whether both snapshots show the same.
  public var isEmpty: Bool { stages.isEmpty }
}

extension DiffableSnapshot {
  /// The whole change from this snapshot to another.
  ///
  /// - Parameter new: What the change leads to.
  /// - Returns: The stages of ``batches(to:)``, and the paths through them.
  /// - Complexity: That of ``batches(to:)``.
  @inlinable
  public func change(to new: DiffableSnapshot) -> SnapshotChange<Section> {
    SnapshotChange(from: self, to: new, stages: batches(to: new))
  }
}

extension SnapshotChange: PathMapping {
  /// Where an item goes; nil if it goes away, or the path is out of range.
  ///
  /// - Complexity: O(log *k*) for *k* operations.
  public func newPath(of old: ItemPath) -> ItemPath? {
    guard previous.itemIfPresent(at: old) != nil else { return nil }
    return maps.reduce(old) { path, map in path.flatMap(map.newPath(of:)) }
  }

  /// Where an item comes from; nil if it is new, or the path is out of range.
  ///
  /// - Complexity: O(log *k*) for *k* operations.
  public func oldPath(of new: ItemPath) -> ItemPath? {
    guard snapshot.itemIfPresent(at: new) != nil else { return nil }
    return maps.reversed().reduce(new) { path, map in path.flatMap(map.oldPath(of:)) }
  }

  /// How many items each section has before the change.
  public var itemCountsBefore: [Int] { previous.sections.map { $0.items.count } }
}

extension SnapshotChange: CustomStringConvertible {
  /// The stages, one after another.
  public var description: String {
    stages.isEmpty ? "no changes" : stages.map(\.description).joined(separator: "\nthen ")
  }
}
