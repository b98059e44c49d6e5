/// Rows, and as many tags: of a leaf, or of a section in the order of a query.
@usableFromInline typealias TaggedRows<Row> = (rows: [Row], tags: [Int])

/// A list of rows whose copies share what they have in common: an order-statistic B+ tree.
///
/// Each row has a tag, a number that the tree's owner knows it by. The tree itself knows no order: its owner says
/// which row is before another.
struct RowTree<Row: Sendable>: Sendable {
  typealias Rows = TaggedRows<Row>

  /// The rows of a leaf, and their tags.
  final class Leaf: Sendable {
    let rows: [Row]
    let tags: [Int]

    init(_ rows: [Row], tags: [Int]) {
      self.rows = rows
      self.tags = tags
    }

    var first: RowMerge<Row>.Tagged { (rows[0], tags[0]) }
  }

  private(set) var root: RowNode?
  /// Whether rows with one tag are all in one leaf.
  private let isCutBetweenTags: Bool

  /// The number of rows.
  var count: Int { root?.count ?? 0 }

  init(isCutBetweenTags: Bool = false) { self.isCutBetweenTags = isCutBetweenTags }

  /// Creates a tree of rows in their order, with as many tags.
  ///
  /// - Parameters:
  ///   - rows: The rows.
  ///   - tags: Their tags.
  ///   - isCutBetweenTags: Whether rows with one tag are all in one leaf.
  /// - Complexity: O(*n*).
  init(_ rows: [Row], tags: [Int], isCutBetweenTags: Bool = false) {
    self.isCutBetweenTags = isCutBetweenTags
    root = RowNode.root(over: makeLeaves(rows, tags))
  }

  /// The rows of a leaf of this tree.
  static func leaf(of node: RowNode) -> Leaf {
    // Sound: the initialiser and the edits of this type make its nodes, all with such leaves.
    unsafe unsafeDowncast(node.first, to: Leaf.self)
  }

  private func makeLeaves(_ rows: [Row], _ tags: [Int]) -> RowNode.Level {
    let parts = RowNode.evenParts(of: rows.count, upTo: RowNode.leafRoom)
    guard parts.count > 1 else {
      return parts.isEmpty ? [] : [RowNode(leaf: Leaf(rows, tags: tags), count: rows.count)]
    }
    var (leaves, start) = (RowNode.Level(), 0)
    for part in parts where part.upperBound > start {
      var end = part.upperBound
      while isCutBetweenTags, end < tags.count, tags[end] == tags[end - 1] { end += 1 }
      let leaf = Leaf(Array(rows[start..<end]), tags: Array(tags[start..<end]))
      leaves.append(RowNode(leaf: leaf, count: end - start))
      start = end
    }
    return leaves
  }

  /// The row with a rank, which must be there.
  ///
  /// - Complexity: O(log *n*).
  subscript(rank: Int) -> Row { at(rank).row }

  /// The row with a rank, which must be there, and its tag.
  func at(_ rank: Int) -> (row: Row, tag: Int) {
    guard let root, rank >= 0, rank < root.count else {
      fatalError("row \(rank) is out of bounds; there are \(count)")
    }
    let (node, start) = root.leaf(with: rank)
    let leaf = Self.leaf(of: node)
    return (leaf.rows[rank - start], leaf.tags[rank - start])
  }

  /// The rows of the leaf with a rank, which must be there, and the rank of the first of them.
  func leaf(with rank: Int) -> (rows: [Row], start: Int) {
    guard let (node, start) = root?.leaf(with: rank) else { return ([], 0) }
    return (Self.leaf(of: node).rows, start)
  }

  /// The number of rows at the beginning that fulfil a condition, which none does behind them.
  ///
  /// - Complexity: O(log *n*).
  func prefixCount(where isBefore: (Row, Int) -> Bool) -> Int {
    guard var node = root else { return 0 }
    var start = 0
    while !node.isLeaf {
      let children = node.children
      let child =
        partitionPoint(1..<children.count) { place in
          let leaf = Self.leaf(of: children[place])
          return !isBefore(leaf.rows[0], leaf.tags[0])
        } - 1
      start += node.start(of: child)
      node = children[child]
    }
    let leaf = Self.leaf(of: node)
    return start + partitionPoint(0..<node.count) { !isBefore(leaf.rows[$0], leaf.tags[$0]) }
  }

  /// The number of tags below one, in a tree whose tags ascend.
  ///
  /// - Complexity: O(log *n*), without a call of the user's code.
  func rank(ofTag tag: Int) -> Int {
    guard var node = root else { return 0 }
    var start = 0
    while !node.isLeaf {
      let children = node.children
      let child =
        partitionPoint(1..<children.count) { Self.leaf(of: children[$0]).tags[0] >= tag } - 1
      start += node.start(of: child)
      node = children[child]
    }
    let tags = Self.leaf(of: node).tags
    return start + partitionPoint(0..<tags.count) { tags[$0] >= tag }
  }

  /// The ranks of the rows with a tag, in a tree whose tags ascend.
  func range(ofTag tag: Int) -> Range<Int> {
    rank(ofTag: tag)..<prefixCount { $1 <= tag }
  }

  /// Calls a body with the rows and the tags of each leaf, in order.
  func forEachLeaf(_ body: ([Row], [Int]) -> Void) {
    root?.forEachLeaf { node in
      let leaf = Self.leaf(of: node)
      body(leaf.rows, leaf.tags)
    }
  }

  /// The leaves.
  var leaves: [Rows] {
    var leaves: [Rows] = []
    forEachLeaf { leaves.append(($0, $1)) }
    return leaves
  }

  /// All tags.
  var tags: [Int] {
    var tags: [Int] = []
    tags.reserveCapacity(count)
    forEachLeaf { tags += $1 }
    return tags
  }

  /// All rows.
  ///
  /// - Complexity: O(*n*).
  var array: [Row] {
    var rows: [Row] = []
    rows.reserveCapacity(count)
    forEachLeaf { leaf, _ in rows.append(contentsOf: leaf) }
    return rows
  }
}

extension RowTree {
  /// Makes other leaves of those for which a body returns rows; it gets the rows of a leaf and the next leaf,
  /// or no rows if there is no leaf.
  ///
  /// - Parameters:
  ///   - isChosen: Whether leaves are looked at, by the leaf behind them, nil for the last ones. What holds for
  ///     some leaves holds for those behind them, until the body is called.
  ///   - body: The rows of a new leaf; nil if it stays.
  /// - Complexity: O(leaves that are looked at × log *n*), and O(rows) of those that are made.
  mutating func mapLeaves(
    where isChosen: (Leaf?) -> Bool = { _ in true }, to body: (_ rows: Rows, _ next: Leaf?) -> Rows?
  ) {
    func leaves(_ node: RowNode?, _ next: RowNode?) -> RowNode.Level? {
      let leaf = node.map(Self.leaf(of:))
      return body((leaf?.rows ?? [], leaf?.tags ?? []), next.map(Self.leaf(of:))).map {
        makeLeaves($0.rows, $0.tags)
      }
    }
    guard let root else {
      if isChosen(nil) { self.root = RowNode.root(over: leaves(nil, nil) ?? []) }
      return
    }
    let level = root.mapped(
      before: nil, where: { isChosen($0.map(Self.leaf(of:))) }, Self.joined, leaves)
    if let level { self.root = RowNode.root(over: level) }
  }

  private static func joined(_ first: RowNode, _ second: RowNode) -> RowNode {
    let (first, second) = (leaf(of: first), leaf(of: second))
    return RowNode(
      leaf: Leaf(first.rows + second.rows, tags: first.tags + second.tags),
      count: first.rows.count + second.rows.count)
  }
}
