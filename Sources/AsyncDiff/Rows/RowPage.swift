/// A page of a ``RowTree``: a leaf with rows, or a branch.
///
/// Pages are immutable. An edit creates new pages on the path from the root to the changed leaves, so two versions of
/// a tree share all other pages, which are recognized by identity. Branches do not know the type of the rows, so code
/// that walks along branches is compiled once for all types.
final class RowPage: Sendable {
  typealias Level = ContiguousArray<RowPage>

  /// The maximum number of rows in a leaf, unless rows with equal tags must be in one leaf.
  static var leafRoom: Int { 64 }
  /// The maximum number of children of a branch.
  static var branchRoom: Int { 32 }

  /// The child pages, all of the same height; empty in a leaf.
  let children: Level
  /// For each child, the number of rows in that child and in all children before it.
  let ends: ContiguousArray<Int>
  /// The rows of this leaf, or of the first leaf below the branch.
  let first: any AnyObject & Sendable
  /// The number of rows.
  let count: Int
  /// The number of branches above each leaf.
  let height: Int

  init(leaf: any AnyObject & Sendable, count: Int) {
    children = []
    ends = []
    first = leaf
    self.count = count
    height = 0
  }

  /// Creates a branch with at least one child.
  init(children: Level, ends: ContiguousArray<Int>) {
    self.children = children
    self.ends = ends
    first = children[0].first
    count = ends[ends.count - 1]
    height = children[0].height + 1
  }

  var isLeaf: Bool { height == 0 }

  /// Whether the page should be joined with a neighbor.
  private var isSmall: Bool {
    isLeaf ? count < Self.leafRoom / 4 : children.count < Self.branchRoom / 4
  }

  /// Whether both pages fit into one page with some room left.
  private func fits(_ next: RowPage) -> Bool {
    isLeaf
      ? count + next.count <= Self.leafRoom * 3 / 4
      : children.count + next.children.count <= Self.branchRoom * 3 / 4
  }

  /// The number of rows before a child.
  func start(of child: Int) -> Int { child == 0 ? 0 : ends[child - 1] }

  /// The index of the child that contains a row.
  func child(with row: Int) -> Int { partitionPoint(0..<ends.count) { ends[$0] > row } }

  /// The leaf that contains a row, and the rank of the first row in that leaf.
  func leaf(with row: Int) -> (leaf: RowPage, start: Int) {
    var (page, start) = (self, 0)
    while !page.isLeaf {
      let child = page.child(with: row - start)
      start += page.start(of: child)
      page = page.children[child]
    }
    return (page, start)
  }

  func forEachLeaf(_ body: (RowPage) -> Void) {
    if isLeaf { body(self) } else { for child in children { child.forEachLeaf(body) } }
  }
}

extension RowPage {
  /// Returns the pages that replace this page when leaves are replaced; the new pages have the same height.
  ///
  /// - Parameters:
  ///   - next: The following page.
  ///   - isChosen: Whether to visit a page, given the following page; see `RowTree.mapLeaves(where:to:)`.
  ///   - join: Joins two leaves.
  ///   - leaves: Returns the pages that replace a leaf, or `nil` to keep it.
  /// - Returns: The new pages; `nil` if no leaf changes.
  func mapped(
    before next: RowPage?, where isChosen: (RowPage?) -> Bool,
    _ join: @escaping (RowPage, RowPage) -> RowPage, _ leaves: (RowPage, RowPage?) -> Level?
  ) -> Level? {
    if isLeaf { return leaves(self, next) }
    func isChosenChild(_ place: Int) -> Bool {
      isChosen(place + 1 < children.count ? children[place + 1] : next)
    }
    /// The first chosen child at or after an index, found with growing steps, because the child is usually near.
    func firstChosenChild(from place: Int) -> Int {
      var (low, high, step) = (place, place, 1)
      while high < children.count, !isChosenChild(high) {
        (low, high, step) = (high + 1, high + step, step * 2)
      }
      return partitionPoint(low..<max(low, min(high, children.count)), where: isChosenChild)
    }
    var firstChosen = -1
    return replacingChildren(join) { place, child in
      if place > firstChosen { firstChosen = firstChosenChild(from: place) }
      guard place == firstChosen else { return nil }
      return child.mapped(
        before: place + 1 < children.count ? children[place + 1] : next, where: isChosen, join,
        leaves)
    }
  }

  /// Replaces some children of this page, and returns branches over the result.
  ///
  /// - Parameters:
  ///   - join: Joins two leaves.
  ///   - pages: Returns the pages that replace a child, or `nil` to keep it.
  /// - Returns: The branches; `nil` if all children stay.
  private func replacingChildren(
    _ join: @escaping (RowPage, RowPage) -> RowPage, by pages: (Int, RowPage) -> Level?
  ) -> Level? {
    var builder = LevelBuilder(join, room: children.count + 1)
    var isChanged = false
    for (place, child) in children.enumerated() {
      if let pages = pages(place, child) {
        for page in pages { builder.append(page, count: page.count, isNew: true) }
        isChanged = true
      } else {
        builder.append(child, count: ends[place] - start(of: place), isNew: false)
      }
    }
    return isChanged ? Self.branches(over: builder.pages, counts: builder.counts) : nil
  }

  /// Returns branches over the pages, with about the same number of pages in each branch.
  static func branches(over pages: Level, counts: [Int]) -> Level {
    evenParts(of: pages.count, upTo: branchRoom).reduce(into: Level()) { branches, part in
      var end = 0
      let ends = ContiguousArray(
        counts[part].lazy.map { count in
          end += count
          return end
        })
      branches.append(RowPage(children: Level(pages[part]), ends: ends))
    }
  }

  /// A root over one level; `nil` if the level is empty.
  static func root(over level: Level) -> RowPage? {
    var level = level
    while level.count > 1 { level = branches(over: level, counts: level.map(\.count)) }
    // Skip the topmost branches as long as they have only one child.
    var root = level.first
    while let only = root?.children.first, root?.children.count == 1 { root = only }
    return root
  }

  /// Splits `0..<count` into ranges of about equal length, or into one range if `count` is at most `room`.
  static func evenParts(of count: Int, upTo room: Int) -> [Range<Int>] {
    guard count > room else { return count == 0 ? [] : [0..<count] }
    let parts = (count + room * 3 / 4 - 1) / (room * 3 / 4)
    let (size, larger) = count.quotientAndRemainder(dividingBy: parts)
    func start(_ part: Int) -> Int { part * size + min(part, larger) }
    return (0..<parts).map { start($0)..<start($0 + 1) }
  }

  /// Collects the children of a branch and joins small new pages with their neighbors.
  private struct LevelBuilder {
    private(set) var pages: Level = []
    private(set) var counts: [Int] = []
    private var lastIsNew = false
    private let join: (RowPage, RowPage) -> RowPage

    init(_ join: @escaping (RowPage, RowPage) -> RowPage, room: Int) {
      self.join = join
      pages.reserveCapacity(room)
      counts.reserveCapacity(room)
    }

    mutating func append(_ page: RowPage, count: Int, isNew: Bool) {
      defer { lastIsNew = isNew }
      if isNew || lastIsNew, let last = pages.last, last.isSmall || page.isSmall, last.fits(page) {
        pages[pages.count - 1] = last.isLeaf ? join(last, page) : last.joined(with: page)
        counts[counts.count - 1] += count
      } else {
        pages.append(page)
        counts.append(count)
      }
    }
  }

  private func joined(with next: RowPage) -> RowPage {
    RowPage(children: children + next.children, ends: ends + next.ends.map { count + $0 })
  }
}
