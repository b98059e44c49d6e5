@testable import AsyncDiff

@Suite struct ItemTreeTests {
  private func tree() throws -> ItemTree<Article> {
    var tree = ItemTree<Article>()
    try tree.append([Article(1), Article(2)])
    try tree.append([Article(11), Article(12)], to: 1)
    try tree.append([Article(121)], to: 12)
    return tree
  }

  @Test("D19: after random edits, a tree has the same rows, levels and order as nested values")
  func edits() {
    expectNoComplaint(seed: 19, rounds: 150) { random in
      var driver = TreeDriver()
      for step in 0..<40 {
        let numbers = (0..<3).map { _ in random.integer(in: 0...999) }
        let complaint = driver.step(numbers[0], numbers[1], numbers[2])
        if let complaint { return "step \(step): \(complaint)" }
      }
      return nil
    }
  }

  @Test("D19: a replaced item is released immediately, even if its identifier holds it")
  func replacedItem() throws {
    final class Payload: Sendable {}
    struct Heavy: Nodable {
      let payload: Payload
      var diffIdentifier: Int { 1 }
      static func == (lhs: Self, rhs: Self) -> Bool { lhs.payload === rhs.payload }
      func nodeBlock(with channel: NodeEventChannel, at path: ItemPath) -> NodeBlock {
        { TitleNode(title: "", path: path) }
      }
    }
    weak var replaced: Payload?
    var tree = ItemTree<AnyNodable>()
    do {
      let payload = Payload()
      replaced = payload
      try tree.append([AnyNodable(Heavy(payload: payload))])
    }
    let newer = AnyNodable(Heavy(payload: Payload()))
    try tree.replace([newer])
    #expect(replaced == nil)
    try tree.delete([newer.diffIdentifier])
    #expect(tree.rowCount == 0)
  }

  @Test("D19: a deleted item is released immediately")
  func releases() throws {
    final class Payload: Sendable {}
    struct Heavy: Diffable, Equatable, Sendable {
      let diffIdentifier: Int
      let payload: Payload
      static func == (lhs: Self, rhs: Self) -> Bool { lhs.payload === rhs.payload }
    }
    var tree = ItemTree<Heavy>()
    let released = try (0..<100).map { number in
      let payload = Payload()
      try tree.append(
        [Heavy(diffIdentifier: number, payload: payload)], to: number % 2 == 0 ? nil : number - 1)
      return { [weak payload] in payload == nil }
    }
    try tree.delete(stride(from: 0, to: 60, by: 2))
    #expect(released.map { $0() } == (0..<100).map { $0 < 60 })
    #expect(tree.count == 40)
  }

  @Test("D19: a tree whose items are replaced again and again does not grow")
  func reusesEntries() throws {
    var tree = try tree()
    let count = tree.entries.count
    for number in 1_000..<1_100 {
      try tree.delete([2])
      try tree.append([Article(number)])
      try tree.append([Article(2)], to: number)
      try tree.delete([number])
      try tree.append([Article(2)])
    }
    #expect(tree.entries.count <= count + 1)
  }

  @Test("D19: a new tree can expand the items that were expanded in an old one")
  func expandedAsBefore() throws {
    var old = try tree()
    try old.expand(1)
    try old.expand(12)
    #expect(old.expandedIDs == [1, 12])
    var new = ItemTree<Article>()
    try new.append([Article(1), Article(3)])
    try new.append([Article(11)], to: 1)
    new.expandAll(old.expandedIDs)
    #expect(new.expandedIDs == [1])
    #expect(new.rows.map(\.item.id) == [1, 11, 3])
    new.expandAll([1, 3, 1])
    #expect(new.expandedIDs == [1, 3])
  }

  @Test("D19: items below a collapsed item are compared by `==`, and stay expanded")
  func hidden() throws {
    let shown = try tree()
    var other = shown
    try other.append([Article(122)], to: 12)
    #expect(other.rows == shown.rows && other != shown)
    var tree = shown
    try tree.expand(12)
    #expect(tree.expandedIDs == [12] && tree != shown)
    var new = shown
    new.expandAll(tree.expandedIDs)
    #expect(new == tree)
    try new.expand(1)
    #expect(new.rows.map(\.item.id) == [1, 11, 12, 121, 2])
    #expect(new.children(of: 12).map(\.id) == [121] && new.children(of: 99).isEmpty)
  }

  @Test("D19: several items that are inserted at once keep their order")
  func several() throws {
    var tree = try tree()
    try tree.insert([Article(3), Article(4)], before: 2)
    try tree.insert([Article(5), Article(6)], after: 1)
    try tree.insert([Article(13), Article(14)], after: 11)
    #expect(tree.rows.map(\.item.id) == [1, 5, 6, 3, 4, 2])
    #expect(tree.children(of: 1).map(\.id) == [11, 13, 14, 12])
  }

  @Test("D19: expanding and collapsing change the shown rows, and keep descendants expanded")
  func expansion() throws {
    var tree = try tree()
    #expect(tree.rows.map(\.item.id) == [1, 2])
    #expect(try tree.expand(12) == nil, "12 is not a row yet")
    #expect(try tree.expand(1) == 1..<4)
    #expect(tree.rows.map(\.item.id) == [1, 11, 12, 121, 2])
    #expect(tree.rows.map(\.level) == [0, 1, 1, 2, 0])
    #expect(try tree.collapse(1) == 1..<4)
    #expect(try tree.expand(1) == 1..<4, "12 is still expanded")
    #expect(try tree.expand(1) == nil)
    #expect(tree.parent(of: 121)?.id == 12 && tree.children(of: 1).map(\.id) == [11, 12])
    #expect(tree.item(withID: 121)?.id == 121 && tree.item(withID: 9) == nil)
    #expect(
      tree.level(of: 121) == 2 && tree.rowOffset(of: 121) != nil && tree.rowOffset(of: 2) == 4)
    #expect(
      tree.description == """
        ▾ 1
          · 11
          ▾ 12
            · 121
        · 2
        """)
  }

  @Test("D19: a section can show a tree, and expanding an item inserts the rows of its children")
  func asSection() async throws {
    struct Outline: SectionInflator {
      let tree: ItemTree<Article>
      var diffIdentifier: Int { 0 }
      var items: [TreeRow<Article>] { tree.rows }
    }
    var tree = try tree()
    let (surface, source) = strictSource(of: Outline.self)
    try await source.apply(DiffableSnapshot(sections: [Outline(tree: tree)]))
    try tree.expand(1)
    let new = DiffableSnapshot(sections: [Outline(tree: tree)])
    #expect(try await source.apply(new) == .updated(3), "two new rows, one now expanded")
    #expect(await surface.rows?.matches(new) == true)
    try tree.replace([Article(11, "new")])
    #expect(
      try await source.apply(DiffableSnapshot(sections: [Outline(tree: tree)])) == .updated(1))
  }

  @Test("D12, D19: an edit throws if an item is unknown or duplicate, or would move into itself")
  func refusals() throws {
    func problem(_ edit: (inout ItemTree<Article>) throws -> Void) throws -> ItemTree<Article>
      .EditError.Problem?
    {
      var copy = try tree()
      let before = copy
      let error = #expect(throws: ItemTree<Article>.EditError.self) { try edit(&copy) }
      #expect(copy == before)
      return error?.problem
    }
    #expect(try problem { try $0.append([Article(9)], to: 8) } == .unknownItem(8))
    #expect(try problem { try $0.append([Article(121)]) } == .duplicateItem(121))
    #expect(try problem { try $0.insert([Article(7), Article(7)], after: 1) } == .duplicateItem(7))
    #expect(
      try problem { try $0.insert([Article(7), Article(7)], after: 11) } == .duplicateItem(7))
    #expect(try problem { try $0.delete([1, 99]) } == .unknownItem(99))
    #expect(try problem { try $0.move(1, to: 121) } == .insideItself(1))
    #expect(try problem { try $0.move(1, before: 12) } == .insideItself(1))
    #expect(try problem { try $0.expand(5) } == .unknownItem(5))
    #expect(try problem { try $0.replace([Article(5)]) } == .unknownItem(5))
  }

  // If the time grew with the square of the depth, this test would take an hour.
  @Test(
    "D19: deleting many items deep in a tree visits each of their ancestors once",
    .timeLimit(.minutes(30)))
  func deleteDeep() throws {
    let depth = 10_000
    var tree = ItemTree<Article>()
    try tree.append([Article(0)])
    for level in 1..<depth { try tree.append([Article(level)], to: level - 1) }
    try tree.append((0..<depth).map { Article(depth + $0) }, to: depth - 1)
    var rest = tree
    try rest.delete(depth..<2 * depth)
    #expect(rest.count == depth)
    rest = tree
    try rest.delete([0] + Array(depth..<2 * depth))
    #expect(rest.count == 0)
  }

  @Test("D19: an edit of a tree does not change a copy")
  func copies() {
    var complaint: String?
    for seed in 0..<20 * UInt64(thoroughness) where complaint == nil {
      var random = SeededGenerator(seed: seed)
      var driver = TreeDriver()
      var kept: [(tree: ItemTree<Article>, rows: [TreeRow<Article>], expanded: [Int])] = []
      for _ in 0..<40 {
        kept.append((driver.tree, driver.tree.rows, driver.tree.expandedIDs))
        let numbers = (0..<3).map { _ in random.integer(in: 0...999) }
        complaint = complaint ?? driver.step(numbers[0], numbers[1], numbers[2])
      }
      let isKept = kept.allSatisfy { $0.tree.rows == $0.rows && $0.tree.expandedIDs == $0.expanded }
      if !isKept { complaint = complaint ?? "seed \(seed): a copy has changed" }
    }
    #expect(complaint == nil)
  }
}
