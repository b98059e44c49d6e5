/// Rows, each with an integer tag.
@usableFromInline typealias TaggedRows<Row> = (rows: [Row], tags: [Int])

/// A list of rows, stored as an order-statistic B+ tree, so that copies of the list share their unchanged parts.
///
/// The owner of the tree chooses the tags and the order of the rows; the tree itself does not know the order.
struct RowTree<Row: Sendable>: Sendable {
  final class Leaf: Sendable {
    let rows: [Row]
    let tags: [Int]

    init(_ rows: [Row], tags: [Int]) {
      self.rows = rows
      self.tags = tags
    }

    var all: TaggedRows<Row> { (rows, tags) }
  }

  private(set) var root: RowPage?
  /// Whether all rows with the same tag are in one leaf.
  private let isCutBetweenTags: Bool

  var count: Int { root?.count ?? 0 }

  init(isCutBetweenTags: Bool = false) { self.isCutBetweenTags = isCutBetweenTags }

  /// Creates a tree of rows in the given order, in O(*n*).
  init(_ rows: [Row], tags: [Int], isCutBetweenTags: Bool = false) {
    self.isCutBetweenTags = isCutBetweenTags
    root = RowPage.root(over: makeLeaves(rows, tags))
  }

  static func leaf(of page: RowPage) -> Leaf {
    // The cast is safe, because only this type creates the pages of its trees, so all leaves are of this class.
    unsafe unsafeDowncast(page.first, to: Leaf.self)
  }

  private func makeLeaves(_ rows: [Row], _ tags: [Int]) -> RowPage.Level {
    let parts = RowPage.evenParts(of: rows.count, upTo: RowPage.leafRoom)
    guard parts.count > 1 else {
      return parts.isEmpty ? [] : [RowPage(leaf: Leaf(rows, tags: tags), count: rows.count)]
    }
    var (leaves, start) = (RowPage.Level(), 0)
    for part in parts where part.upperBound > start {
      var end = part.upperBound
      while isCutBetweenTags, end < tags.count, tags[end] == tags[end - 1] { end += 1 }
      let leaf = Leaf(Array(rows[start..<end]), tags: Array(tags[start..<end]))
      leaves.append(RowPage(leaf: leaf, count: end - start))
      start = end
    }
    return leaves
  }

  /// The row at a rank, found in O(log *n*); traps if the rank is out of bounds.
  subscript(rank: Int) -> Row { at(rank).row }

  /// The row at a rank, and its tag; traps if the rank is out of bounds.
  func at(_ rank: Int) -> (row: Row, tag: Int) {
    guard let root, rank >= 0, rank < root.count else {
      fatalError("ShownRows: row \(rank) is out of bounds; the number of rows is \(count)")
    }
    let (page, start) = root.leaf(with: rank)
    let leaf = Self.leaf(of: page)
    return (leaf.rows[rank - start], leaf.tags[rank - start])
  }

  /// The rows of the leaf that contains a rank, and the rank of the first row in that leaf.
  func leaf(with rank: Int) -> (rows: [Row], start: Int) {
    guard let (page, start) = root?.leaf(with: rank) else { return ([], 0) }
    return (Self.leaf(of: page).rows, start)
  }

  /// The number of rows whose tag is less than the given tag, in a tree sorted by tag.
  ///
  /// Takes O(log *n*), and does not call the user's code.
  func rank(ofTag tag: Int) -> Int {
    guard var page = root else { return 0 }
    var start = 0
    while !page.isLeaf {
      let children = page.children
      let child =
        partitionPoint(1..<children.count) { Self.leaf(of: children[$0]).tags[0] >= tag } - 1
      start += page.start(of: child)
      page = children[child]
    }
    let tags = Self.leaf(of: page).tags
    return start + partitionPoint(0..<tags.count) { tags[$0] >= tag }
  }

  /// The ranks of the rows with a tag, in a tree sorted by tag.
  func range(ofTag tag: Int) -> Range<Int> {
    rank(ofTag: tag)..<(tag == .max ? count : rank(ofTag: tag + 1))
  }

  func forEachLeaf(_ body: ([Row], [Int]) -> Void) {
    root?.forEachLeaf { page in
      let leaf = Self.leaf(of: page)
      body(leaf.rows, leaf.tags)
    }
  }

  var leaves: [TaggedRows<Row>] {
    var leaves: [TaggedRows<Row>] = []
    forEachLeaf { leaves.append(($0, $1)) }
    return leaves
  }

  var tags: [Int] {
    var tags: [Int] = []
    tags.reserveCapacity(count)
    forEachLeaf { tags += $1 }
    return tags
  }

  var array: [Row] {
    var rows: [Row] = []
    rows.reserveCapacity(count)
    forEachLeaf { leaf, _ in rows.append(contentsOf: leaf) }
    return rows
  }
}

extension RowTree {
  /// Replaces the leaves for which `body` returns rows.
  ///
  /// - Parameters:
  ///   - isChosen: Whether to visit a leaf; called with the leaf that follows it, or `nil` if there is none. If the closure
  ///     returns `true` for a leaf, it must return `true` for all later leaves until the next call to `body`.
  ///   - body: Called with a leaf's rows, or no rows if the tree is empty, and with the following leaf. Returns the new rows, or
  ///     `nil` to keep the leaf.
  /// - Complexity: O(visited leaves × log *n* + rows of the new leaves).
  mutating func mapLeaves(
    where isChosen: (Leaf?) -> Bool = { _ in true },
    to body: (_ rows: TaggedRows<Row>, _ next: Leaf?) -> TaggedRows<Row>?
  ) {
    // This function uses `guard` instead of `map`, because a call to `map` in generic code has to find its types at run time.
    func leaf(_ page: RowPage?) -> Leaf? {
      guard let page else { return nil }
      return Self.leaf(of: page)
    }
    func leaves(_ page: RowPage?, _ next: RowPage?) -> RowPage.Level? {
      guard let new = body(leaf(page)?.all ?? ([], []), leaf(next)) else { return nil }
      return makeLeaves(new.rows, new.tags)
    }
    guard let root else {
      if isChosen(nil) { self.root = RowPage.root(over: leaves(nil, nil) ?? []) }
      return
    }
    let level = root.mapped(
      before: nil, where: { isChosen(leaf($0)) }, Self.joined, leaves)
    if let level { self.root = RowPage.root(over: level) }
  }

  private static func joined(_ first: RowPage, _ second: RowPage) -> RowPage {
    let (first, second) = (leaf(of: first), leaf(of: second))
    return RowPage(
      leaf: Leaf(first.rows + second.rows, tags: first.tags + second.tags),
      count: first.rows.count + second.rows.count)
  }
}
