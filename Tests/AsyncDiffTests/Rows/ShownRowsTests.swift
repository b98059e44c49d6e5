@testable import AsyncDiff

/// Compares sections that are stored as trees with the same sections as arrays.
@Suite struct ShownRowsTests {
  /// The snapshot with each section stored as a tree, which shares leaves with the older version.
  private static func asTrees(_ snapshot: Days, since old: Days? = nil) -> Days {
    Days(
      sections: snapshot.sections.enumerated().map { $1.asTree(since: old?.sections[$0]) })
  }

  private static func asArrays(_ snapshot: Days) -> Days {
    Days(sections: snapshot.sections.map { Day($0) })
  }

  private static func areTrees(_ snapshot: Days) -> Bool {
    snapshot.sections.allSatisfy { $0.rows.tree != nil }
  }

  /// Makes the same edit, by identifier, to both snapshots.
  private static func edit(
    _ tree: inout Days, _ array: inout Days, _ random: inout SeededGenerator, fresh: inout Int
  ) throws {
    let ids = array.sections.flatMap { $0.items.map(\.id) }
    guard let id = ids.randomElement(using: &random), let other = ids.randomElement(using: &random)
    else { return }
    let section = array.sections[random.integer(in: 0...(array.sections.count - 1))].diffIdentifier
    let choice = random.integer(in: 0...6)
    let gone = Set(
      (0..<random.integer(in: 1...5)).compactMap { _ in ids.randomElement(using: &random) })
    fresh += 10
    let new = (0..<random.integer(in: 1...5)).map { Article(fresh + $0) }
    func edit(_ days: inout Days) throws {
      switch choice {
      case 0: try days.deleteItems(gone)
      case 1: try days.insertItems(new, beforeItem: id)
      case 2: try days.appendItems(new, toSection: section)
      case 3: try days.replaceItems([Article(id, "\(fresh)")])
      case 4: if id != other { try days.moveItem(id, afterItem: other) }
      case 5: try days.moveItem(id, toEndOfSection: section)
      default: if id != other { try days.moveItem(id, beforeItem: other) }
      }
    }
    try edit(&tree)
    try edit(&array)
  }

  @Test(
    "D27, D5, D2: edits and comparisons of trees have the same results as those of arrays"
  )
  func random() throws {
    try expectNoComplaint(seed: 3, rounds: 60) { random in
      var fresh = 1_000_000
      let sizes = [random.integer(in: 1...900), random.integer(in: 0...90)]
      var number = 0
      var array = Days(
        sections: zip(["a", "b"], sizes).map { name, size in
          defer { number += size }
          return Day(name, ids: Array(number..<number + size))
        })
      var tree = Self.asTrees(array)
      let (oldTree, oldArray) = (tree, array)
      for _ in 0..<[1, 3, 12, 60][random.integer(in: 0...3)] {
        var edited = tree
        try Self.edit(&edited, &array, &random, fresh: &fresh)
        guard edited == array else { return "an edit differs" }
        tree = Self.asTrees(array, since: tree)
      }
      guard Self.areTrees(tree), tree == array else { return "a tree differs" }
      for (mine, theirs) in zip(tree.sections, array.sections) {
        guard Array(mine.rows) == theirs.items, mine.items == theirs.items,
          mine.rows.indices.allSatisfy({ mine.rows[$0] == theirs.items[$0] })
        else { return "rows and items differ" }
        guard theirs.items.allSatisfy({ tree.path(ofItem: $0.id) == array.path(ofItem: $0.id) })
        else { return "paths differ" }
      }
      guard oldTree == oldArray else { return "the older version has changed" }
      let stages = oldTree.batches(to: tree)
      if let complaint = StagingOracle.complaint(
        about: stages, from: oldArray, to: Self.asArrays(tree))
      {
        return complaint
      }
      let moves = { (stages: [BatchUpdates<Day>]) in stages.reduce(0) { $0 + $1.itemMoves.count } }
      let fewest = moves(oldArray.batches(to: array))
      return moves(stages) == fewest ? nil : "\(moves(stages)) moves, not \(fewest)"
    }
  }

  @Test("D2: if a long block and a few rows change places, only the few rows move")
  func crossing() throws {
    let ids = Array(0..<20_000)
    let old = Self.asTrees(Days(sections: [Day("a", ids: ids)]))
    var new = old
    // A block of 1,000 rows moves past the 300 rows after it, which include whole leaves.
    try new.deleteItems(Array(1_000..<2_000))
    try new.insertItems((1_000..<2_000).map { Article($0) }, afterItem: 2_299)
    new = Self.asTrees(new, since: old)
    let stages = old.batches(to: new)
    #expect(stages.map(\.itemMoves.count) == [300])
  }

  @Test(
    "D2: if a merge moves a long block past a few rows of shared leaves, only those few rows are moved"
  )
  func crossingLeaves() {
    let rows = (0..<20_000).map { Article($0) }
    let old = RowTree(rows, tags: rows.map { $0.id * 10_000 })
    let block = Array(rows[1_000..<2_000])
    var merge = RowMerge(
      removing: (block, block.map { $0.id * 10_000 }),
      inserting: (block, block.map { 22_990_001 + $0.id }))
    var new = old
    let isMerged = new.perform(&merge) { $0.tag < $1.tag }
    func days(_ tree: RowTree<Article>) -> Days {
      Days(sections: [ShownSection(diffIdentifier: "a", content: "", rows: ShownRows(tree))])
    }
    #expect(isMerged)
    #expect(days(old).batches(to: days(new)).map(\.itemMoves.count) == [300])
  }

  @Test("D27: applying a patch of a tree produces the source's rows")
  func mirrored() throws {
    let old = Self.asTrees(oneDay(Array(0..<10_000)))
    var new = old
    try new.moveItem(7, afterItem: 9_000)
    try new.deleteItems([20, 40, 9_999])
    try new.insertItems([Article(-1), Article(-2)], beforeItem: 5_000)
    let from = SnapshotRevision(epoch: 1, number: 1)
    let patch = SnapshotPatch(
      from: from, to: 2, stages: old.batches(to: new).map { SnapshotPatch<Day>.Stage($0) })
    let shown = try #require(try patch.batches(from: old).last).snapshot
    let isRight = shown == new
    #expect(isRight)
  }

  @Test(
    "D27: versions of a tree are equal if and only if their rows are, even with many equal rows")
  func equality() {
    expectNoComplaint(seed: 5, rounds: 300) { random in
      let kinds = [1, 2, 40][random.integer(in: 0...2)]
      func row() -> Int { random.integer(in: 1...kinds) }
      let start = ShownRows(RowTree((0..<random.integer(in: 1...700)).map { _ in row() }))
      func edited() -> ShownRows<Int> {
        guard let tree = start.tree else { return start }
        var rows = tree.array
        for _ in 0..<random.integer(in: 0...3) where !rows.isEmpty {
          let (from, to) = (
            random.integer(in: 0...(rows.count - 1)), random.integer(in: 0...(rows.count - 1))
          )
          let moved = rows.remove(at: from)
          rows.insert(random.bool(probability: 0.8) ? moved : row(), at: to)
        }
        return ShownRows(tree.becoming(rows))
      }
      let (one, other) = (edited(), edited())
      let areEqual = Array(one) == Array(other)
      guard (one == other) == areEqual else {
        return "== returns \(!areEqual), but the arrays compare as \(areEqual)"
      }
      guard one == ShownRows(one.items), ShownRows(one.items) == one else {
        return "a tree is not equal to an array of its rows"
      }
      return nil
    }
  }

  @Test("D27: versions with equal rows are equal, even if their shared leaves are shifted")
  func shiftedLeaves() {
    let old = RowTree([Int](repeating: 1, count: 500), tags: Array(0..<500))
    var (equal, other) = (old, old)
    var merge = RowMerge(removing: ([1], [0]), inserting: ([1], [1_000]))
    _ = equal.perform(&merge) { $0.tag < $1.tag }
    merge = RowMerge(removing: ([1], [0]), inserting: ([2], [1_000]))
    _ = other.perform(&merge) { $0.tag < $1.tag }
    #expect(ShownRows(old) == ShownRows(equal))
    #expect(ShownRows(old) != ShownRows(other))
  }

  @Test("D27: a loop, a search and a map do not copy a tree to an array")
  func loops() {
    let rows = ShownRows(RowTree(Array(0..<1_000)))
    var next = 0
    for row in rows {
      #expect(row == next)
      next += 1
    }
    #expect(next == 1_000)
    #expect(rows.first { $0 > 700 } == 701)
    #expect(rows.map { $0 * 2 }.last == 1_998)
    #expect(Array(rows.prefix(70)) == Array(0..<70))
    guard case .tree(let version) = rows.storage else { return }
    #expect(version.known == nil)
    #expect(Array(ShownRows<Int>()) == [] && Array(ShownRows(RowTree<Int>())) == [])
  }
}
