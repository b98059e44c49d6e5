@Suite struct SnapshotQueryTests {
  let snapshot = Days(sections: [Day("a", ids: [1, 2]), Day("b", ids: []), Day("c", ids: [3])])

  @Test("A11: items and counts are read by path")
  func reads() {
    #expect(snapshot.item(at: at(0, 1)).id == 2)
    #expect(snapshot.numberOfSections == 3)
    #expect(snapshot.numberOfItems == 3)
    #expect(snapshot.numberOfItems(in: 1) == 0)
    #expect(snapshot.items(in: 2) == [Article(3)])
  }

  @Test(
    "D12: a path that names nothing gives nil",
    arguments: [at(0, 2), at(0, -1), at(1, 0), at(3, 0), at(-1, 0)])
  func absent(path: ItemPath) {
    #expect(snapshot.itemIfPresent(at: path) == nil)
  }

  @Test("D12: item(at:) out of range traps with path and bounds")
  func itemTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = oneDay([1, 2]).item(at: ItemPath(section: 0, item: 7))
    }
    #expect(result.says("item(at:): [0, 7] is out of bounds; there are 2 items in section 0"))
  }

  @Test("D12: numberOfItems(in:) out of range traps with section and bounds")
  func sectionTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = oneDay([1, 2]).numberOfItems(in: 3)
    }
    #expect(result.says("section 3 is out of bounds; there are 1 sections"))
  }

  @Test("A11: identifiers are found; of several, the first")
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

  @Test("A10: a context knows the width between its insets, never below zero")
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

  @Test("A10: a size range from large to small traps")
  func sizeRangeTraps() async {
    await #expect(processExitsWith: .failure) {
      _ = SizeRange(min: .init(width: 2, height: 0), max: .init(width: 1, height: 0))
    }
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
