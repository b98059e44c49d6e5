@Suite struct SnapshotQueryTests {
  let snapshot = Days(sections: [Day("a", ids: [1, 2]), Day("b", ids: []), Day("c", ids: [3])])

  @Test("A11: items are read by path and by section, and sections and items are counted")
  func reads() {
    #expect(snapshot.item(at: at(0, 1)).id == 2)
    #expect(snapshot.numberOfSections == 3)
    #expect(snapshot.numberOfItems == 3)
    #expect(snapshot.numberOfItems(in: 1) == 0)
    #expect(snapshot.items(in: 2) == [Article(3)])
  }

  @Test(
    "D12: the item at a path that is out of range is nil",
    arguments: [at(0, 2), at(0, -1), at(1, 0), at(3, 0), at(-1, 0)])
  func absent(path: ItemPath) {
    #expect(snapshot.itemIfPresent(at: path) == nil)
  }

  @Test("A11: items and sections are found by identifier")
  func identifiers() {
    #expect(snapshot.path(ofItem: 3) == at(2, 0))
    #expect(snapshot.path(ofItem: 9) == nil)
    #expect(snapshot.index(ofSection: "c") == 2)
    #expect(snapshot.index(ofSection: "x") == nil)
    #expect(snapshot.item(withID: 2) == Article(2))
    #expect(oneDay([7, 8, 7]).path(ofItem: 7) == at(0, 0))
  }

  @Test("A9: a section is asked for its items once")
  func inflatedOnce() {
    let inflations = Inflations()
    let snapshot = DiffableSnapshot(sections: [Counted(inflations: inflations)])
    for _ in 0..<5 {
      _ = snapshot.numberOfItems(in: 0)
      _ = snapshot.item(at: at(0, 0))
      _ = snapshot.path(ofItem: 1)
    }
    #expect(inflations.count.load(ordering: .relaxed) == 1)
  }

  @Test("A10: the content width is the space between the insets, never below zero")
  func context() {
    let context = NodeContext(
      containerSize: .init(width: 100, height: 40), contentInset: .init(left: 10, right: 20))
    #expect(context.contentWidth == 70)
    #expect(context.sizeRange(height: 5).max == .init(width: 70, height: 5))
    #expect(context.sizeRange(height: 5).min == .init(width: 70, height: 5))
    #expect(context.automaticDimension.min.width == 70)
    #expect(context.automaticDimension.max.height == .greatestFiniteMagnitude)
    let narrow = NodeContext(
      containerSize: .init(width: 5, height: 40), contentInset: .init(left: 10))
    #expect(narrow.contentWidth == 0)
  }
}

private final class Inflations: Sendable {
  let count = Atomic(0)
}

private struct Counted: SectionInflator {
  let inflations: Inflations
  var diffIdentifier: Int { 0 }
  var items: [Article] {
    inflations.count.add(1, ordering: .relaxed)
    return [Article(1)]
  }
  static func == (lhs: Self, rhs: Self) -> Bool { lhs.inflations === rhs.inflations }
}
