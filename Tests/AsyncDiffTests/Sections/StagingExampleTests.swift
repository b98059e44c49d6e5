/// One example of each reason for a stage.
struct StagingExampleTests {
  private func stages(_ old: [Day], _ new: [Day]) -> [BatchUpdates<Day>] {
    Days(sections: old).batches(to: Days(sections: new))
  }

  @Test("A15, A17, D5: an item moves across sections and changes in one stage")
  func across() {
    let stages = stages(
      [Day("a", ids: [1, 2]), Day("b", ids: [3])],
      [Day("a", ids: [2]), Day("b", [Article(3), Article(1, "new")])])
    let move = ItemPath.Move(from: at(0, 0), to: at(1, 1))
    #expect(stages.count == 1)
    #expect(stages.first?.itemMoves == [move] && stages.first?.itemUpdates == [move])
    #expect(stages.first?.count == 2)
  }

  @Test("A16, D5, D6: if a section moves and its items change, the move comes first")
  func movedAndChanged() {
    let stages = stages(
      [Day("a", ids: [1]), Day("b", ids: [2]), Day("c", ids: [3])],
      [Day("b", ids: [2]), Day("c", ids: [3]), Day("a", ids: [1, 4])])
    #expect(stages.map(\.sectionMoves) == [[.init(from: 0, to: 2)], []])
    #expect(stages.map(\.itemInserts) == [[], [at(2, 1)]])
  }

  @Test(
    "D6: an item leaves a section before the section is deleted, and enters a section after the section is inserted"
  )
  func leavesAndEnters() {
    let leaves = stages([Day("a", ids: [1]), Day("b", ids: [2])], [Day("b", ids: [2, 1])])
    #expect(leaves.map(\.itemMoves.count) == [1, 0] && leaves.map(\.sectionDeletes) == [[], [0]])
    let enters = stages([Day("b", ids: [2, 1])], [Day("a", ids: [1]), Day("b", ids: [2])])
    #expect(enters.map(\.sectionInserts) == [[0], []] && enters.map(\.itemMoves.count) == [0, 1])
    #expect(enters.first?.snapshot.numberOfItems(in: 0) == 0)
  }

  @Test("D6: a move from a deleted to an inserted section needs three stages")
  func bothEnds() {
    let through = stages(
      [Day("a", ids: [1]), Day("b", ids: [2])], [Day("b", ids: [2]), Day("c", ids: [1])])
    #expect(through.map(\.sectionInserts) == [[2], [], []])
    #expect(
      through.map(\.itemMoves) == [[], [ItemPath.Move(from: at(0, 0), to: at(2, 0))], []])
    #expect(through.map(\.sectionDeletes) == [[], [], [0]])
    let apart = stages(
      [Day("a", ids: [1]), Day("b", ids: [2, 3])], [Day("b", ids: [1, 2]), Day("c", ids: [3])])
    #expect(apart.map(\.sectionInserts) == [[2], [], []])
    #expect(apart.map(\.itemMoves.count) == [0, 2, 0])
    #expect(apart.map(\.sectionDeletes) == [[], [], [0]])
  }

  @Test("D4, D5: an item that leaves one of two sections stays in the other section")
  func shownTwice() {
    let stages = stages(
      [Day("favorites", ids: [1]), Day("all", ids: [0, 1])],
      [Day("favorites", ids: []), Day("all", ids: [0, 1])])
    #expect(stages.map(\.itemDeletes) == [[at(0, 0)]] && stages.first?.count == 1)
  }

  @Test(
    "D4, D18: an item that leaves one of two sections can move within the other section"
  )
  func movesWhereItStays() async {
    struct Song: Diffable, Equatable, Identifiable {
      let id: Int
      var place: Double
      var isFavorite = false
    }
    actor Library: StateActor {
      let knot: Knot<LiveTable<Song>>
      init(_ table: LiveTable<Song>) { knot = Knot(table) }
    }
    let library = Library(
      LiveTable(
        (0..<4_000).map { Song(id: $0, place: Double($0), isFavorite: $0 % 2_000 == 100) }))
    let query = LiveQuery(of: Song.self).sorted(by: \.place)
    let lists = [
      LiveList(query.filter(\.isFavorite).sections { _ in 0 }, of: library),
      LiveList(query.sections { _ in 1 }, of: library),
    ]
    var states = lists.map { $0.states.makeAsyncIterator() }
    func snapshot() async -> DiffableSnapshot<LiveSection<Int, Song, NoContent>> {
      var sections: [ShownSection<LiveSection<Int, Song, NoContent>>] = []
      for index in states.indices { sections += await states[index].next()?.sections ?? [] }
      return DiffableSnapshot(sections: sections)
    }
    let old = await snapshot()
    await library.reduce { $0.upsert(Song(id: 100, place: 3_000.5)) }
    let stages = old.batches(to: await snapshot())
    let move = ItemPath.Move(from: at(1, 100), to: at(1, 3_000))
    #expect(stages.flatMap(\.itemMoves) == [move] && stages.flatMap(\.itemUpdates) == [move])
  }
}
