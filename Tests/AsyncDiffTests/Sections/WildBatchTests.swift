/// What is out of bounds, or no identity, ends the program with a message, in every build.
struct WildBatchTests {
  private static let wild: [(ListOperations, message: String)] = [
    (.init(sectionDeletes: [1]), "sectionDeletes: 1 is out of bounds; there are 1 sections"),
    (
      .init(sectionMoves: [.init(from: 2, to: 0)]),
      "sections, from: 2 is out of bounds; there are 1 sections"
    ),
    (
      .init(sectionUpdates: [.init(from: 0, to: -1)]),
      "sections, to: -1 is out of bounds; there are 1 sections"
    ),
    (.init(itemDeletes: [at(7, 9)]), "itemDeletes: 7 is out of bounds; there are 1 sections"),
    (
      .init(itemInserts: [at(0, 2)]),
      "itemInserts: [0, 2] is out of bounds; there are 2 items in the section"
    ),
    (
      .init(itemUpdates: [.init(from: at(0, 3), to: at(0, 1))]),
      "items, from: [0, 3] is out of bounds; there are 2 items in the section"
    ),
    (
      .init(itemMoves: [.init(from: at(0, 0), to: at(0, 2))]),
      "items, to: [0, 2] is out of bounds; there are 2 items in the section"
    ),
    (
      .init(sectionInserts: [.max]),
      "sectionInserts: \(Int.max) is out of bounds; there are 1 sections"
    ),
  ]

  @Test(
    "D12: a batch with wild paths ends with a message that has the path and its bounds",
    arguments: wild.indices)
  func paths(_ index: Int) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [index] in
      let snapshot = Days(sections: [Day("a", ids: [1, 2])])
      _ = BatchUpdates(from: snapshot, to: snapshot, WildBatchTests.wild[index].0).pathMap
    }
    #expect(result.says(Self.wild[index].message))
  }

  /// Each way for an identifier into the package, once as NaN.
  private static let doors: [@Sendable () throws -> Void] = [
    { _ = Changeset(from: [NotANumber(), NotANumber(1)], to: [NotANumber()]) },
    {
      var tree = ItemTree<NotANumber>()
      try tree.append([NotANumber()])
    },
    {
      var table = LiveTable([NotANumber(1)])
      table.upsert(NotANumber())
    },
    { _ = LiveTable([NotANumber(1), NotANumber()]) },
    {
      _ = LiveQuery(of: NotANumber.self).sections(by: \.key).snapshot(
        of: LiveTable([NotANumber(1, key: .nan)]))
    },
    { _ = DiffableSnapshot(sections: [Numbers(0, [NotANumber()])]).path(ofItem: 1) },
    {
      var snapshot = DiffableSnapshot<Numbers>()
      try snapshot.appendSections([Numbers(.nan, [])])
    },
    {
      var snapshot = DiffableSnapshot(sections: [Numbers(0, [])])
      try snapshot.appendItems([NotANumber()], toSection: 0)
    },
  ]

  @Test(
    "D4, D12: an identifier that does not equal itself ends the program where it comes in",
    arguments: doors.indices)
  func notANumber(_ index: Int) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [index] in
      try WildBatchTests.doors[index]()
    }
    #expect(
      result.says("an identifier must equal itself, or its row is never found again; got nan"))
  }
}

private struct NotANumber: Diffable, Equatable, Sendable {
  let diffIdentifier: Double
  let key: Double

  init(_ diffIdentifier: Double = .nan, key: Double = 0) {
    (self.diffIdentifier, self.key) = (diffIdentifier, key)
  }
}

private struct Numbers: SectionInflator, Sendable {
  var diffIdentifier: Double
  var items: [NotANumber]

  init(_ diffIdentifier: Double = 0, _ items: [NotANumber]) {
    (self.diffIdentifier, self.items) = (diffIdentifier, items)
  }
}
