/// The cost of edits, lookups and comparisons, in calls to the user's code.
@Suite(.serialized) struct SnapshotCostTests {
  /// An identifier type that counts the calls to `hash(into:)`.
  struct Counted: Hashable, Sendable {
    // The suite is serial, and no other code uses this type.
    nonisolated(unsafe) static var hashes = 0
    let number: Int

    func hash(into hasher: inout Hasher) {
      Self.hashes += 1
      hasher.combine(number)
    }

    static func == (lhs: Self, rhs: Self) -> Bool { lhs.number == rhs.number }
  }

  struct Thing: Diffable, Equatable, Sendable {
    nonisolated(unsafe) static var comparisons = 0
    let number: Int
    var diffIdentifier: Counted { Counted(number: number) }

    static func == (lhs: Self, rhs: Self) -> Bool {
      comparisons += 1
      return lhs.number == rhs.number
    }
  }

  struct Shelf: SectionInflator {
    let diffIdentifier: Int
    let items: [Thing]
  }

  private let snapshot = DiffableSnapshot(
    sections: (0..<100).map { section in
      Shelf(diffIdentifier: section, items: (0..<100).map { Thing(number: section * 100 + $0) })
    })

  private func hashes(_ body: () throws -> Void) rethrows -> Int {
    Counted.hashes = 0
    try body()
    return Counted.hashes
  }

  @Test(
    "D14: lookups share one index of all items, and an edit hashes only a few items")
  func edits() throws {
    var edited = snapshot
    let lookUps = hashes {
      for number in 0..<1_000 {
        #expect(edited.path(ofItem: Counted(number: number)) == at(number / 100, number % 100))
      }
    }
    // A dictionary that grows hashes its keys again.
    #expect(lookUps < 40_000, "\(lookUps) hashes for 1,000 lookups of 10,000 items")
    let gone = (0..<50).map { Counted(number: 5_000 + $0) }
    let edit = try hashes { try edited.deleteItems(gone) }
    #expect(edit < 1_000, "\(edit) hashes for 50 deletes with one call")
    #expect(edited.path(ofItem: Counted(number: 5_060)) == at(50, 10))
  }

  // If the time grew with the square of the number of sections, this test would take an hour.
  @Test(
    "D14, D18: replacing 200,000 sections and finding anchors costs time per section, not per pair of sections",
    .timeLimit(.minutes(30)))
  func manySections() throws {
    func shelf(_ number: Int) -> Shelf {
      Shelf(
        diffIdentifier: number, items: [Thing(number: 3 * number), Thing(number: 3 * number + 1)])
    }
    let shelves = (0..<200_000).map(shelf)
    let old = DiffableSnapshot(sections: shelves)
    var new = old
    try new.replaceSections(shelves)
    #expect(new.numberOfItems == 400_000)
    try new.deleteItems([Counted(number: 300_000)])
    let stages = old.batches(to: new)
    let map = old.pathMap(through: stages)
    let gone = ItemPath(section: 100_000, item: 0)
    var wrong = 0
    for _ in 0..<10_000 where map.anchor(near: gone) != gone { wrong += 1 }
    if stages[0].pathMap.anchor(near: gone) != gone { wrong += 1 }
    #expect(wrong == 0)
  }

  @Test("D14: an edit of a copy does not clear the original's index")
  func copies() throws {
    _ = snapshot.path(ofItem: Counted(number: 0))
    var copy = snapshot
    try copy.appendItems([Thing(number: 50_000)], toSection: 7)
    let count = hashes {
      #expect(snapshot.path(ofItem: Counted(number: 50_000)) == nil)
      #expect(snapshot.path(ofItem: Counted(number: 9_999)) == ItemPath(section: 99, item: 99))
    }
    #expect(count < 10, "\(count) hashes")
    #expect(copy.path(ofItem: Counted(number: 50_000)) == at(7, 100))
  }

  @Test("D14: sections with shared storage are not compared, even if an item is marked")
  func sharedStorage() throws {
    var edited = snapshot
    try edited.replaceItems([Thing(number: 707)])
    Thing.comparisons = 0
    #expect(snapshot.batches(to: edited).isEmpty)
    #expect(Thing.comparisons == 100, "only the section that was edited")
    var marked = snapshot
    try marked.reconfigureItems([Counted(number: 303)])
    Thing.comparisons = 0
    #expect(snapshot.batches(to: marked).map(\.count) == [1])
    #expect(Thing.comparisons == 0)
  }
}
