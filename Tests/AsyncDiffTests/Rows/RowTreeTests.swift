@testable import AsyncDiff

/// Compares trees with arrays after random edits.
///
/// Edits must not change older versions.
@Suite struct RowTreeTests {
  private typealias Tree = RowTree<String>

  /// A tree, and the rows and tags that it must contain.
  private struct Version {
    var tree: Tree
    var rows: [(row: String, tag: Int)]

    init(count: Int) {
      rows = (0..<count).map { ("row \($0)", $0) }
      tree = Tree(rows.map(\.row), tags: rows.map(\.tag))
    }

    /// The first complaint, or `nil`.
    var complaint: String? {
      guard tree.count == rows.count else { return "\(tree.count) rows, not \(rows.count)" }
      guard tree.array == rows.map(\.row) else { return "wrong rows" }
      for rank in rows.indices where tree.at(rank) != rows[rank] { return "wrong row at \(rank)" }
      return tree.root.flatMap(Self.complaint(of:))
    }

    /// All leaves must have the same depth, and every leaf and branch a permitted size.
    private static func complaint(of page: RowPage) -> String? {
      if page.isLeaf {
        return page.count < 1 || page.count > RowPage.leafRoom ? "a leaf of \(page.count)" : nil
      }
      guard (1...RowPage.branchRoom).contains(page.children.count) else {
        return "a branch of \(page.children.count)"
      }
      guard page.children.allSatisfy({ $0.height == page.height - 1 }) else { return "heights" }
      var end = 0
      for (child, claimed) in zip(page.children, page.ends) {
        end += child.count
        if end != claimed { return "a branch claims \(claimed) rows, but has \(end)" }
        if let complaint = complaint(of: child) { return complaint }
      }
      return nil
    }

    /// Removes and inserts rows at random indices, either by a merge or leaf by leaf.
    mutating func edit(_ random: inout SeededGenerator, upTo limit: Int, fresh: inout Int) {
      var (gone, come): (TaggedRows<String>, TaggedRows<String>) = (([], []), ([], []))
      // The order of all rows, including the removed ones.
      var order: [Int: Int] = [:]
      var result: [[(row: String, tag: Int)]] = []
      let removing = random.integer(in: 0...limit)
      let inserting = random.integer(in: 0...limit)
      let size = max(rows.count, 1)
      for rank in 0...rows.count {
        result.append([])
        for _ in 0..<3 where random.integer(in: 0...(3 * size)) < inserting {
          fresh += 1
          order[fresh] = order.count
          come.rows.append("new \(fresh)")
          come.tags.append(fresh)
          result[rank].append(("new \(fresh)", fresh))
        }
        guard rank < rows.count else { break }
        order[rows[rank].tag] = order.count
        if random.integer(in: 0...size) < removing {
          gone.rows.append(rows[rank].row)
          gone.tags.append(rows[rank].tag)
        } else {
          result[rank].append(rows[rank])
        }
      }
      if random.bool(probability: 0.5) {
        var merge = Tree.Merge(removing: gone, inserting: come)
        let isFound = tree.perform(&merge) {
          order[$0.tag, default: 0] < order[$1.tag, default: 0]
        }
        if !isFound || merge.removed.tags != gone.tags { tree = Tree() }
      } else {
        map(to: result)
      }
      rows = Array(result.joined())
    }

    /// Replaces each leaf whose rows change.
    ///
    /// `result` has the new rows for each old row, and at its end the appended rows.
    private mutating func map(to result: [[(row: String, tag: Int)]]) {
      var start = 0
      tree.mapLeaves { leaf, next in
        let end = start + leaf.rows.count
        defer { start = end }
        let rows = result[start..<(next == nil ? result.count : end)].joined()
        if rows.elementsEqual(zip(leaf.rows, leaf.tags), by: ==) { return nil }
        return (rows.map(\.row), rows.map(\.tag))
      }
    }
  }

  @Test("D27: after random edits, a tree and its older versions have the same rows as plain arrays")
  func randomEdits() {
    expectNoComplaint(seed: 1, rounds: 20) { random in
      var fresh = 1_000_000
      var versions = [
        Version(count: random.integer(in: 0...[0, 3, 70, 3_000][random.integer(in: 0...3)]))
      ]
      for _ in 0..<12 {
        guard var next = versions.last else { break }
        let limits = [1, 20, next.rows.count, 2 * next.rows.count]
        next.edit(&random, upTo: limits[random.integer(in: 0...3)], fresh: &fresh)
        if next.rows.count > 5_000 { break }
        versions.append(next)
      }
      return versions.lazy.compactMap(\.complaint).first
    }
  }

  @Test(
    "D27: the differing blocks and the equal rows between them make up both versions")
  func blocks() {
    expectNoComplaint(seed: 2, rounds: 40) { random in
      var fresh = 1_000_000
      var version = Version(count: random.integer(in: 0...4_000))
      let old = version
      for _ in 0..<random.integer(in: 0...3) { version.edit(&random, upTo: 4, fresh: &fresh) }
      guard let blocks = version.tree.blocks(since: old.tree, upTo: 1) else { return "no blocks" }
      var (from, to) = (0, 0)
      let (before, after) = (old.rows.map(\.row), version.rows.map(\.row))
      for block in blocks {
        let shared = block.start.from - from
        guard shared >= 0, block.start.to - to == shared,
          before[from..<block.start.from] == after[to..<block.start.to]
        else { return "the rows skipped before \(block.start) differ" }
        (from, to) = (block.start.from + block.old.count, block.start.to + block.new.count)
        guard before[block.start.from..<from] == block.old[...],
          after[block.start.to..<to] == block.new[...]
        else { return "the block at \(block.start) has wrong rows" }
      }
      return before[from...] == after[to...] ? nil : "the ends differ"
    }
  }

  @Test("D14: an edit of one row replaces one leaf, and a comparison reads only that leaf")
  func sharing() throws {
    let old = Tree((0..<100_000).map { "row \($0)" }, tags: Array(0..<100_000))
    var new = old
    var merge = Tree.Merge(removing: (["row"], [50_000]), inserting: (["other"], [50_000]))
    var asked = 0
    let isFound = new.perform(&merge) {
      asked += 1
      return $0.tag < $1.tag
    }
    #expect(isFound && asked < 100)
    let blocks = try #require(new.blocks(since: old, upTo: 4))
    #expect(blocks.count == 1)
    #expect(blocks.allSatisfy { $0.old.count <= RowPage.leafRoom && $0.start.from <= 50_000 })
    #expect(new.blocks(since: Tree(new.array), upTo: 4) == nil, "the trees share nothing")
  }

  @Test("D27: a merge reports a missing row, and removes only the rows that it names")
  func missing() {
    let old = Tree((0..<500).map { "row \($0)" }, tags: (0..<500).map { 2 * $0 })
    for tags in [[3], [-1], [1_001], [4, 5, 6]] {
      var tree = old
      var merge = Tree.Merge(removing: (tags.map { "\($0)" }, tags))
      let isFound = tree.perform(&merge) { $0.tag < $1.tag }
      #expect(!isFound, "\(tags)")
      #expect(tree.tags == old.tags.filter { !tags.contains($0) }, "\(tags)")
    }
  }

  @Test(
    "D27: a tree that is cut only between tags keeps all rows with the same tag in one leaf")
  func cutBetweenTags() {
    expectNoComplaint(seed: 4, rounds: 40) { random in
      var tree = RowTree<Int>(isCutBetweenTags: true)
      var rows: [(row: Int, tag: Int)] = []
      for step in 0..<40 {
        let new = (0..<random.integer(in: 1...60)).map {
          (row: step * 100 + $0, tag: random.integer(in: 0...9))
        }
        .sorted { ($0.tag, $0.row) < ($1.tag, $1.row) }
        rows = (rows + new).sorted { ($0.tag, $0.row) < ($1.tag, $1.row) }
        var merge = RowTree<Int>.Merge(inserting: (new.map(\.row), new.map(\.tag)))
        _ = tree.perform(&merge) { ($0.tag, $0.row) < ($1.tag, $1.row) }
        let tags = tree.leaves.map { Set($0.tags) }
        if tags.reduce(0, { $0 + $1.count }) != Set(rows.map(\.tag)).count {
          return "a tag is in two leaves"
        }
        if tree.array != rows.map(\.row) { return "other rows" }
        for tag in [-1, 0, 4, 9, 10, .min, .max] {
          let ranks = tree.range(ofTag: tag)
          if ranks.map({ tree[$0] }) != rows.filter({ $0.tag == tag }).map(\.row) {
            return "wrong rows with the tag \(tag)"
          }
        }
      }
      return nil
    }
  }

  @Test("D27: a small leaf is merged with a neighbor")
  func joining() {
    for isFirst in [true, false] {
      var tree = Tree((0..<192).map { "row \($0)" }, tags: Array(0..<192))
      // The tree has four leaves of 48 rows. The first edit makes room in the neighbor.
      let (small, neighbor) = isFirst ? (0, 1) : (3, 2)
      for (leaf, count) in [(neighbor, 10), (small, 40)] {
        let tags = Array(48 * leaf..<48 * leaf + count)
        var merge = Tree.Merge(removing: (tags.map { "row \($0)" }, tags))
        _ = tree.perform(&merge) { $0.tag < $1.tag }
      }
      #expect(tree.leaves.count == 3, "whether the small leaf is the first: \(isFirst)")
    }
  }

  @Test("D27: after ascending insertions, one at a time, leaves are on average at least half full")
  func ascending() {
    var tree = Tree()
    for number in 0..<5_000 {
      var merge = Tree.Merge(inserting: (["\(number)"], [number]))
      _ = tree.perform(&merge) { $0.tag < $1.tag }
    }
    var leaves = 0
    tree.forEachLeaf { _, _ in leaves += 1 }
    #expect(leaves <= 2 * 5_000 / RowPage.leafRoom + 1)
    let isRight = tree.array == (0..<5_000).map { "\($0)" }
    #expect(isRight)
  }
}
