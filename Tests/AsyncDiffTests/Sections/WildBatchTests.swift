/// What is out of bounds, or no identity, ends the program with a message, in every build.
struct WildBatchTests {
  private static let wild: [(ListOperations, message: String)] = [
    (.init(itemDeletes: [at(7, 9)]), "itemDeletes: 7 is out of bounds; there are 1 sections"),
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

  @Test("D4: an identifier that does not equal itself is refused")
  func notANumber() async {
    let lists = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let old = [Row(diffIdentifier: Double.nan), Row(diffIdentifier: 1)]
      _ = Changeset(from: old, to: [Row(diffIdentifier: Double.nan)])
    }
    #expect(lists.says("an identifier must equal itself"))
    let edit = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var tree = ItemTree<TreeNaN>()
      try tree.append([TreeNaN(diffIdentifier: .nan)])
    }
    #expect(edit.says("got nan"))
  }
}

private struct TreeNaN: Diffable, Equatable, Sendable {
  let diffIdentifier: Double
}
