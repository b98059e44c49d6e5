/// Rows, and as many tags: of a leaf, or of a section in the order of a query.
@usableFromInline typealias TaggedRows<Row> = (rows: [Row], tags: [Int])

/// A list of rows whose copies share what they have in common: an order-statistic B+ tree.
///
/// Each row has a tag, a number that the tree's owner knows it by; a tree without tags gives 0 for
/// each. The tree itself knows no order: its owner finds a place by ``prefixCount(where:)``, and
/// edits by rank.
struct RowTree<Row: Sendable>: Sendable {
  typealias Rows = TaggedRows<Row>

  /// The rows of a leaf, and their tags, if there are any.
  final class Leaf: Sendable {
    let rows: [Row]
    let tags: [Int]

    init(_ rows: [Row], tags: [Int]) {
      self.rows = rows
      self.tags = tags
    }

    func tag(_ offset: Int) -> Int { tags.isEmpty ? 0 : tags[offset] }
  }

  private(set) var root: RowNode?

  /// The number of rows.
  var count: Int { root?.count ?? 0 }

  init() {}

  /// Creates a tree of rows in their order, with as many tags, or none.
  ///
  /// - Complexity: O(*n*).
  init(_ rows: [Row], tags: [Int] = []) {
    root = RowNode.root(over: Self.leaves(rows, tags))
  }

  /// The rows of a leaf of this tree.
  static func leaf(of node: RowNode) -> Leaf {
    // Sound: the initialiser and the edits of this type make its nodes, all with such leaves.
    unsafe unsafeDowncast(node.first, to: Leaf.self)
  }

  private static func leaves(_ rows: [Row], _ tags: [Int]) -> RowNode.Level {
    let parts = RowNode.evenParts(of: rows.count, upTo: RowNode.leafRoom)
    return parts.count == 1
      ? [RowNode(leaf: Leaf(rows, tags: tags), count: rows.count)]
      : RowNode.Level(
        parts.map { part in
          let tags = tags.isEmpty ? [] : Array(tags[part])
          return RowNode(leaf: Leaf(Array(rows[part]), tags: tags), count: part.count)
        })
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
    return (leaf.rows[rank - start], leaf.tag(rank - start))
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
          return !isBefore(leaf.rows[0], leaf.tag(0))
        } - 1
      start += node.start(of: child)
      node = children[child]
    }
    let leaf = Self.leaf(of: node)
    return start + partitionPoint(0..<node.count) { !isBefore(leaf.rows[$0], leaf.tag($0)) }
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
  /// Rows to remove and to insert at once, with their tags, if the tree has tags.
  struct Edit {
    var ranks = RowNode.Ranks()
    var rows: [Row] = []
    var tags: [Int] = []
  }

  /// Carries an edit out; its ranks are counted before it.
  ///
  /// - Complexity: O(*k* log *n*) for *k* rows; each leaf concerned is made anew once.
  mutating func perform(_ edit: Edit) {
    guard !edit.ranks.all.isEmpty else { return }
    guard let root else {
      self.root = RowNode.root(over: Self.leaves(edit.rows, edit.tags))
      return
    }
    let work = RowNode.LeafWork(
      edit: { Self.edited($0, from: $1, edit, $2) }, join: { Self.joined($0, $1) })
    self.root = RowNode.root(over: root.edited(from: 0, edit.ranks, edit.ranks.all, work))
  }

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
        Self.leaves($0.rows, $0.tags)
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

  private static func edited(
    _ node: RowNode, from start: Int, _ edit: Edit, _ part: RowNode.Part
  ) -> RowNode.Level {
    let leaf = leaf(of: node)
    var rows: [Row] = []
    var tags: [Int] = []
    rows.reserveCapacity(node.count + part.inserted.count)
    let isTagged = !leaf.tags.isEmpty
    if isTagged { tags.reserveCapacity(node.count + part.inserted.count) }
    var copied = 0
    func copy(upTo end: Int) {
      guard copied < end else { return }
      rows.append(contentsOf: leaf.rows[copied..<end])
      if isTagged { tags.append(contentsOf: leaf.tags[copied..<end]) }
      copied = end
    }
    var removed = part.removed
    for place in part.inserted {
      let rank = edit.ranks.inserted[place]
      while let next = removed.first, edit.ranks.removed[next] < rank {
        copy(upTo: edit.ranks.removed[next] - start)
        copied += 1
        removed.removeFirst()
      }
      copy(upTo: rank - start)
      rows.append(edit.rows[place])
      if isTagged { tags.append(edit.tags.isEmpty ? 0 : edit.tags[place]) }
    }
    for next in removed {
      copy(upTo: edit.ranks.removed[next] - start)
      copied += 1
    }
    copy(upTo: node.count)
    return rows.isEmpty ? [] : leaves(rows, tags)
  }
}
