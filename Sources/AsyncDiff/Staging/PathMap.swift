/// Maps the paths of items in one state of a list to their paths in a later state, and back.
///
/// ```swift
/// let stages = shown.batches(to: received)
/// let map = shown.pathMap(through: stages)
/// let selected = map.newPaths(of: selection)
/// let top = map.anchor(near: topRow)
/// ```
public struct PathMap: Sendable {
  private let steps: [Step]
  /// The number of items in each section before and after the change.
  private let oldCounts: [Int]
  private let newCounts: [Int]

  init(steps: [Step], from oldCounts: [Int], to newCounts: [Int]) {
    self.steps = steps
    self.oldCounts = oldCounts
    self.newCounts = newCounts
  }

  /// The new path of an item, found in O(log *k*) for *k* operations; `nil` if the item is removed or out of range.
  public func newPath(of old: ItemPath) -> ItemPath? {
    guard old.isIn(oldCounts) else { return nil }
    return steps.reduce(old) { path, step in path.flatMap(step.newPath(of:)) }
  }

  /// The old path of an item, found in O(log *k*) for *k* operations; `nil` if the item is inserted or out of range.
  public func oldPath(of new: ItemPath) -> ItemPath? {
    guard new.isIn(newCounts) else { return nil }
    return steps.reversed().reduce(new) { path, step in path.flatMap(step.oldPath(of:)) }
  }

  /// The new paths of the surviving items, in the given order; each path takes O(log *k*) for *k* operations.
  public func newPaths(of old: some Sequence<ItemPath>) -> [ItemPath] {
    old.compactMap(newPath(of:))
  }

  /// The new paths of the surviving items, such as those of a selection; each path takes O(log *k*) for *k* operations.
  public func newPaths(of old: Set<ItemPath>) -> Set<ItemPath> {
    Set(old.lazy.compactMap(newPath(of:)))
  }

  /// The new path of a row, or of its nearest surviving neighbor, to keep the scroll position.
  ///
  /// If two neighbors are equally near, the map returns the later one, because that neighbor moves up to the row's position.
  ///
  /// - Parameter old: The row's old path, such as the path of the row at the top of the screen.
  /// - Returns: The new path; `nil` if no row survives, or `old` is out of range.
  /// - Complexity: O(*d* log *k*) for *k* operations, if the nearest surviving row is *d* rows and empty sections away.
  public func anchor(near old: ItemPath) -> ItemPath? {
    guard old.isIn(oldCounts) else { return nil }
    if let path = newPath(of: old) { return path }
    var (after, before) = (old.next(in: oldCounts), old.previous(in: oldCounts))
    while after != nil || before != nil {
      if let path = after.flatMap(newPath(of:)) ?? before.flatMap(newPath(of:)) { return path }
      after = after?.next(in: oldCounts)
      before = before?.previous(in: oldCounts)
    }
    return nil
  }
}

extension PathMap {
  /// The map of one stage.
  struct Step: Sendable {
    private let sections: Changeset.Offsets
    private let movesByOrigin: [ItemPath.Move]
    private let movesByTarget: [ItemPath.Move]
    /// The staying rows of each old section.
    private let rows: [StayingRows]

    init(_ operations: ListOperations, of sectionCount: Int) {
      sections = Changeset(
        deletes: operations.sectionDeletes, inserts: operations.sectionInserts,
        moves: operations.sectionMoves
      ).offsets(from: sectionCount)
      movesByOrigin = operations.itemMoves.sorted { $0.from < $1.from }
      movesByTarget = operations.itemMoves.sorted { $0.to < $1.to }
      rows = operations.stayingRows(in: sections, of: sectionCount)
    }

    func newPath(of old: ItemPath) -> ItemPath? {
      if let move = movesByOrigin.first(at: old, by: \.from) { return move.to }
      guard let section = sections.new(of: old.section) else { return nil }
      return rows[old.section].newOffset(of: old.item).map { ItemPath(section: section, item: $0) }
    }

    func oldPath(of new: ItemPath) -> ItemPath? {
      if let move = movesByTarget.first(at: new, by: \.to) { return move.from }
      guard let section = sections.old(of: new.section) else { return nil }
      return rows[section].oldOffset(of: new.item).map { ItemPath(section: section, item: $0) }
    }
  }
}

extension DiffableSnapshot {
  /// Returns the map of paths from this snapshot through stages; the first stage must start at this snapshot.
  ///
  /// Traps if an operation of a stage is out of bounds.
  ///
  /// - Parameter stages: The stages, such as those of ``batches(to:)``.
  /// - Returns: The map; without stages it maps each path to itself.
  /// - Complexity: O(sections + *k* log *k*) for *k* operations.
  public func pathMap(through stages: [BatchUpdates<Section>]) -> PathMap {
    var counts = stages.first?.itemCounts?.before ?? itemCounts
    let first = counts
    let steps = stages.map { stage in
      let after = stage.itemCounts?.after ?? stage.snapshot.itemCounts
      defer { counts = after }
      stage.operations.requireBounds(before: counts, after: after)
      return PathMap.Step(stage.operations, of: counts.count)
    }
    return PathMap(steps: steps, from: first, to: counts)
  }
}

extension ItemPath {
  /// Whether the path is in bounds for sections with these item counts.
  func isIn(_ counts: [Int]) -> Bool {
    counts.indices.contains(section) && item >= 0 && item < counts[section]
  }

  /// The path of the next row, if any.
  fileprivate func next(in counts: [Int]) -> ItemPath? {
    if item + 1 < counts[section] { return ItemPath(section: section, item: item + 1) }
    let next = counts[(section + 1)...].firstIndex { $0 > 0 }
    return next.map { ItemPath(section: $0, item: 0) }
  }

  /// The path of the previous row, if any.
  fileprivate func previous(in counts: [Int]) -> ItemPath? {
    if item > 0 { return ItemPath(section: section, item: item - 1) }
    let previous = counts[..<section].lastIndex { $0 > 0 }
    return previous.map { ItemPath(section: $0, item: counts[$0] - 1) }
  }
}
