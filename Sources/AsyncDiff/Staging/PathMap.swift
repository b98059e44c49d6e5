/// Maps the paths of one state of a list to those of the next one, and back.
///
/// ```swift
/// let map = batch.pathMap
/// let selected = map.newPaths(of: selection)
/// let top = map.anchor(near: topRow)
/// ```
public struct PathMap: Sendable {
  /// The number of items of each section before.
  let oldCounts: [Int]
  /// The number of items of each section after.
  let newCounts: [Int]
  private let sections: SectionMap
  private let movesByOrigin: [ItemMove]
  private let movesByTarget: [ItemMove]
  /// The offsets of the items that leave each old section and arrive in each new one, ascending.
  private var leaving: [[Int]]
  private var arriving: [[Int]]

  init(
    from oldCounts: [Int], to newCounts: [Int], sectionDeletes: [Int], sectionInserts: [Int],
    sectionMoves: [Changeset.Move], itemDeletes: [ItemPath], itemInserts: [ItemPath],
    itemMoves: [ItemMove]
  ) {
    self.oldCounts = oldCounts
    self.newCounts = newCounts
    sections = SectionMap(
      oldCount: oldCounts.count, newCount: newCounts.count, deletes: sectionDeletes,
      inserts: sectionInserts, moves: sectionMoves)
    movesByOrigin = itemMoves.sorted { $0.from < $1.from }
    movesByTarget = itemMoves.sorted { $0.to < $1.to }
    leaving = Array(repeating: [], count: oldCounts.count)
    arriving = Array(repeating: [], count: newCounts.count)
    for path in itemDeletes + itemMoves.map(\.from) { leaving[path.section].append(path.item) }
    for path in itemInserts + itemMoves.map(\.to) { arriving[path.section].append(path.item) }
    for section in leaving.indices where !leaving[section].isEmpty { leaving[section].sort() }
    for section in arriving.indices where !arriving[section].isEmpty { arriving[section].sort() }
  }

  /// The new path of an item.
  ///
  /// - Parameter old: The path before.
  /// - Returns: The path after; nil if the item is removed, or the path is out of range.
  /// - Complexity: O(log *k*) for *k* operations.
  public func newPath(of old: ItemPath) -> ItemPath? {
    guard contains(old, oldCounts) else { return nil }
    if let move = movesByOrigin.first(at: old, by: \.from) { return move.to }
    guard let section = newSection(of: old.section) else { return nil }
    return StayingRows(leaving: leaving[old.section], arriving: arriving[section])
      .newOffset(of: old.item).map { ItemPath(section: section, item: $0) }
  }

  /// The old path of an item.
  ///
  /// - Parameter new: The path after.
  /// - Returns: The path before; nil if the item is inserted, or the path is out of range.
  /// - Complexity: O(log *k*) for *k* operations.
  public func oldPath(of new: ItemPath) -> ItemPath? {
    guard contains(new, newCounts) else { return nil }
    if let move = movesByTarget.first(at: new, by: \.to) { return move.from }
    guard let section = oldSection(of: new.section) else { return nil }
    return StayingRows(leaving: leaving[section], arriving: arriving[new.section])
      .oldOffset(of: new.item).map { ItemPath(section: section, item: $0) }
  }

  /// The new offset of a section.
  ///
  /// - Parameter old: The offset before.
  /// - Returns: The offset after; nil if the section is removed, or out of range.
  /// - Complexity: O(1).
  public func newSection(of old: Int) -> Int? { sections.target(of: old) }

  /// The old offset of a section.
  ///
  /// - Parameter new: The offset after.
  /// - Returns: The offset before; nil if the section is inserted, or out of range.
  /// - Complexity: O(1).
  public func oldSection(of new: Int) -> Int? { sections.origin(of: new) }

  private func contains(_ path: ItemPath, _ counts: [Int]) -> Bool {
    counts.indices.contains(path.section) && path.item >= 0 && path.item < counts[path.section]
  }
}

/// The new offset of each old section, and the old offset of each new one.
private struct SectionMap: Sendable {
  private var targets: [Int?]
  private var origins: [Int?]

  init(
    oldCount: Int, newCount: Int, deletes: [Int], inserts: [Int], moves: [Changeset.Move]
  ) {
    let staying = StayingRows(
      leaving: (deletes + moves.map(\.from)).sorted(),
      arriving: (inserts + moves.map(\.to)).sorted())
    targets = (0..<oldCount).map(staying.newOffset(of:))
    origins = (0..<newCount).map(staying.oldOffset(of:))
    for move in moves {
      targets[move.from] = move.to
      origins[move.to] = move.from
    }
  }

  func target(of old: Int) -> Int? { targets.indices.contains(old) ? targets[old] : nil }

  func origin(of new: Int) -> Int? { origins.indices.contains(new) ? origins[new] : nil }
}

extension [ItemMove] {
  /// The move with a path, in a list that is sorted by that path.
  fileprivate func first(at path: ItemPath, by key: (ItemMove) -> ItemPath) -> ItemMove? {
    let place = partitionPoint(0..<count) { key(self[$0]) >= path }
    guard place < count, key(self[place]) == path else { return nil }
    return self[place]
  }
}
