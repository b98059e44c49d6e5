/// A node of a ``RowTree``: a leaf with rows, or a branch.
///
/// A node never changes. An edit makes new nodes on the way from the root to the leaves that it
/// touches, so two versions of a tree share all others, and are compared by these. A branch does not
/// know the type of the rows: what walks along branches is compiled once, for all types.
final class RowNode: Sendable {
  typealias Level = ContiguousArray<RowNode>

  /// The most rows of a leaf.
  static var leafRoom: Int { 64 }
  /// The most children of a branch.
  static var branchRoom: Int { 32 }

  /// The nodes below a branch, all of one height; none in a leaf.
  let children: Level
  /// The number of rows up to the end of each child.
  let ends: ContiguousArray<Int>
  /// The rows of the leaf, or of the first leaf below the branch.
  let first: any AnyObject & Sendable
  /// The number of rows.
  let count: Int
  /// The number of branches above each leaf.
  let height: Int

  /// Creates a leaf.
  init(leaf: any AnyObject & Sendable, count: Int) {
    children = []
    ends = []
    first = leaf
    self.count = count
    height = 0
  }

  /// Creates a branch; there must be children.
  init(children: Level, ends: ContiguousArray<Int>) {
    self.children = children
    self.ends = ends
    first = children[0].first
    count = ends[ends.count - 1]
    height = children[0].height + 1
  }

  var isLeaf: Bool { height == 0 }

  /// Whether the node should be joined with a neighbour.
  private var isSmall: Bool {
    isLeaf ? count < Self.leafRoom / 4 : children.count < Self.branchRoom / 4
  }

  /// Whether both fit into one node, with some room left.
  private func fits(_ next: RowNode) -> Bool {
    isLeaf
      ? count + next.count <= Self.leafRoom * 3 / 4
      : children.count + next.children.count <= Self.branchRoom * 3 / 4
  }

  /// The number of rows before a child.
  func start(of child: Int) -> Int { child == 0 ? 0 : ends[child - 1] }

  /// The child with a row of the branch.
  func child(with row: Int) -> Int { partitionPoint(0..<ends.count) { ends[$0] > row } }

  /// The leaf with a row, and the rank of that leaf's first row.
  func leaf(with row: Int) -> (leaf: RowNode, start: Int) {
    var (node, start) = (self, 0)
    while !node.isLeaf {
      let child = node.child(with: row - start)
      start += node.start(of: child)
      node = node.children[child]
    }
    return (node, start)
  }

  /// Calls a body with each leaf, in order.
  func forEachLeaf(_ body: (RowNode) -> Void) {
    if isLeaf { body(self) } else { for child in children { child.forEachLeaf(body) } }
  }
}

extension RowNode {
  /// The nodes of the same height that take the place of this one where leaves are made anew.
  ///
  /// - Parameters:
  ///   - next: The node behind this one.
  ///   - isChosen: Whether a node is looked at, by the one behind it; see ``RowTree``.
  ///   - join: One leaf with the rows of two.
  ///   - leaves: The leaves in the place of one; nil if it stays.
  /// - Returns: The nodes; nil if all leaves stay.
  func mapped(
    before next: RowNode?, where isChosen: (RowNode?) -> Bool,
    _ join: @escaping (RowNode, RowNode) -> RowNode, _ leaves: (RowNode, RowNode?) -> Level?
  ) -> Level? {
    if isLeaf { return leaves(self, next) }
    func isChosenChild(_ place: Int) -> Bool {
      isChosen(place + 1 < children.count ? children[place + 1] : next)
    }
    /// The first chosen child from one on: it is mostly near where many rows are edited.
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

  /// Branches over the children of this one, some of which others take the place of.
  ///
  /// - Parameters:
  ///   - join: One leaf with the rows of two.
  ///   - nodes: What takes the place of a child; nil if it stays.
  /// - Returns: The branches; nil if all children stay.
  private func replacingChildren(
    _ join: @escaping (RowNode, RowNode) -> RowNode, by nodes: (Int, RowNode) -> Level?
  ) -> Level? {
    var builder = LevelBuilder(join, room: children.count + 1)
    var isChanged = false
    for (place, child) in children.enumerated() {
      if let nodes = nodes(place, child) {
        for node in nodes { builder.append(node, count: node.count, isNew: true) }
        isChanged = true
      } else {
        builder.append(child, count: ends[place] - start(of: place), isNew: false)
      }
    }
    return isChanged ? Self.branches(over: builder.nodes, counts: builder.counts) : nil
  }

  /// Branches over some nodes, which they share evenly.
  static func branches(over nodes: Level, counts: [Int]) -> Level {
    evenParts(of: nodes.count, upTo: branchRoom).reduce(into: Level()) { branches, part in
      var end = 0
      let ends = ContiguousArray(
        counts[part].lazy.map { count in
          end += count
          return end
        })
      branches.append(RowNode(children: Level(nodes[part]), ends: ends))
    }
  }

  /// One node over all of a level; nil if there are none.
  static func root(over level: Level) -> RowNode? {
    var level = level
    while level.count > 1 { level = branches(over: level, counts: level.map(\.count)) }
    // A branch with one child is not needed above the others.
    var root = level.first
    while let only = root?.children.first, root?.children.count == 1 { root = only }
    return root
  }

  /// Ranges of about one length that cover so many places; one range if they fit into it.
  static func evenParts(of count: Int, upTo room: Int) -> [Range<Int>] {
    guard count > room else { return count == 0 ? [] : [0..<count] }
    let parts = (count + room * 3 / 4 - 1) / (room * 3 / 4)
    return (0..<parts).map { count * $0 / parts..<count * ($0 + 1) / parts }
  }

  /// Collects the children of a branch; joins new nodes that are small with their neighbours.
  private struct LevelBuilder {
    private(set) var nodes: Level = []
    private(set) var counts: [Int] = []
    private var lastIsNew = false
    private let join: (RowNode, RowNode) -> RowNode

    init(_ join: @escaping (RowNode, RowNode) -> RowNode, room: Int) {
      self.join = join
      nodes.reserveCapacity(room)
      counts.reserveCapacity(room)
    }

    mutating func append(_ node: RowNode, count: Int, isNew: Bool) {
      defer { lastIsNew = isNew }
      if isNew || lastIsNew, let last = nodes.last, last.isSmall || node.isSmall, last.fits(node) {
        nodes[nodes.count - 1] = last.isLeaf ? join(last, node) : last.joined(with: node)
        counts[counts.count - 1] += count
      } else {
        nodes.append(node)
        counts.append(count)
      }
    }
  }

  /// A branch with the children of two.
  private func joined(with next: RowNode) -> RowNode {
    RowNode(children: children + next.children, ends: ends + next.ends.map { count + $0 })
  }
}
