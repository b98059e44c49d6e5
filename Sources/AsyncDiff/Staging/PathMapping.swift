/// Maps paths of one state of a list to another state: a stage, or a whole change.
///
/// ```swift
/// let change = shown.change(to: received)
/// let selected = change.newPaths(of: selection)
/// let top = change.anchor(near: topRow)
/// ```
public protocol PathMapping {
  /// The new path of an item.
  ///
  /// - Parameter old: The path before.
  /// - Returns: The path after; nil if the item is removed, or the path is out of range.
  func newPath(of old: ItemPath) -> ItemPath?
  /// The old path of an item.
  ///
  /// - Parameter new: The path after.
  /// - Returns: The path before; nil if the item is inserted, or the path is out of range.
  func oldPath(of new: ItemPath) -> ItemPath?
  /// How many items each section has before.
  var itemCountsBefore: [Int] { get }
}

extension PathMapping {
  /// The new paths of the items that survive, in the order given: a selection, for instance.
  ///
  /// - Parameter old: Paths before.
  /// - Returns: Paths after, without the items that are gone.
  /// - Complexity: O(*s* log *k*) for *s* paths and *k* operations.
  public func newPaths(of old: some Sequence<ItemPath>) -> [ItemPath] {
    old.compactMap(newPath(of:))
  }

  /// The new paths of the items that survive: a selection, for instance.
  ///
  /// - Parameter old: Paths before.
  /// - Returns: Paths after, without the items that are gone.
  /// - Complexity: O(*s* log *k*) for *s* paths and *k* operations.
  public func newPaths(of old: Set<ItemPath>) -> Set<ItemPath> {
    Set(old.lazy.compactMap(newPath(of:)))
  }

  /// The new path of the row that keeps the list in its place: the row itself, or its nearest
  /// survivor.
  ///
  /// Of two survivors at the same distance the later one counts, because it moves up into the row's
  /// place.
  ///
  /// - Parameter old: The path before, of the row at the top of the screen for instance.
  /// - Returns: A path after; nil if no row survives, or the path is out of range.
  /// - Complexity: O(*d* log *k*) for a survivor *d* rows and empty sections away and *k* operations.
  public func anchor(near old: ItemPath) -> ItemPath? {
    let counts = itemCountsBefore
    guard counts.indices.contains(old.section), old.item >= 0, old.item < counts[old.section]
    else { return nil }
    if let path = newPath(of: old) { return path }
    var (after, before) = (old.next(in: counts), old.previous(in: counts))
    while after != nil || before != nil {
      if let path = after.flatMap(newPath(of:)) ?? before.flatMap(newPath(of:)) { return path }
      after = after?.next(in: counts)
      before = before?.previous(in: counts)
    }
    return nil
  }
}

extension ItemPath {
  /// The path of the next row, if there is one.
  fileprivate func next(in counts: [Int]) -> ItemPath? {
    if item + 1 < counts[section] { return ItemPath(section: section, item: item + 1) }
    let next = counts[(section + 1)...].firstIndex { $0 > 0 }
    return next.map { ItemPath(section: $0, item: 0) }
  }

  /// The path of the row before, if there is one.
  fileprivate func previous(in counts: [Int]) -> ItemPath? {
    if item > 0 { return ItemPath(section: section, item: item - 1) }
    let previous = counts[..<section].lastIndex { $0 > 0 }
    return previous.map { ItemPath(section: $0, item: counts[$0] - 1) }
  }
}

extension PathMap: PathMapping {
  /// How many items each section has before.
  public var itemCountsBefore: [Int] { oldCounts }
}

extension BatchUpdates: PathMapping {
  /// The new path of an item in this stage.
  ///
  /// - Parameter old: The path before.
  /// - Returns: The path after; nil if the item is removed, or the path is out of range.
  /// - Complexity: O(log *k*) for *k* operations, after O(sections + *k* log *k*) for the first
  ///   path.
  public func newPath(of old: ItemPath) -> ItemPath? { pathMap.newPath(of: old) }

  /// The old path of an item in this stage.
  ///
  /// - Parameter new: The path after.
  /// - Returns: The path before; nil if the item is inserted, or the path is out of range.
  /// - Complexity: O(log *k*) for *k* operations, after O(sections + *k* log *k*) for the first
  ///   path.
  public func oldPath(of new: ItemPath) -> ItemPath? { pathMap.oldPath(of: new) }

  /// The number of items of each section before the stage.
  ///
  /// - Complexity: That of ``pathMap``.
  public var itemCountsBefore: [Int] { pathMap.oldCounts }
}
