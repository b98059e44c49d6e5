private func snapshot(_ days: Day...) -> Days { Days(sections: days) }

private let node = TitleNode(title: "", path: at(0, 0))

@Suite struct StrictSurfaceTests {
  let old = snapshot(Day("a", ids: [1, 2, 3]), Day("b", ids: [4]))

  /// The rule that the operations break when they are carried out on `old`.
  private func rule(
    to new: Days, _ operations: ListOperations = .init(), nodes: [ItemPath: any CellNode] = [:]
  ) -> BatchViolation.Rule? {
    var rows = StrictRows(old)
    do {
      try rows.perform(BatchUpdates(from: old, to: new, operations, nodes: nodes))
      #expect(rows.matches(new))
      return nil
    } catch {
      #expect(rows.matches(old), "a refused batch changes nothing")
      return error.rule
    }
  }

  @Test("D6: a row that contains a NaN, and so differs from itself, needs no update")
  func notANumber() throws {
    struct Reading: Diffable, Equatable, Sendable {
      let diffIdentifier: Int
      var value = Double.nan
    }
    func page(_ ids: [Int]) -> DiffableSnapshot<Items<Reading>> {
      oneSection(of: ids.map { Reading(diffIdentifier: $0) })
    }
    var rows = StrictRows(page([1]))
    try rows.perform(
      BatchUpdates(from: page([1]), to: page([1, 2]), .init(itemInserts: [at(0, 1)])))
  }

  @Test("D6: a section whose content is not equal to itself breaks no rule")
  func contentIsNotANumber() throws {
    struct Sums: SectionInflator {
      let items: [Article]
      var diffIdentifier: Int { 0 }
      var content: Double { .nan }
    }
    let old = DiffableSnapshot(sections: [Sums(items: [Article(1)])])
    let new = DiffableSnapshot(sections: [Sums(items: [Article(1), Article(2)])])
    var rows = StrictRows(old)
    for batch in old.batches(to: new) { try rows.perform(batch) }
  }

  @Test("D6: a valid batch with operations of six kinds produces the new snapshot")
  func soundBatch() {
    let before = snapshot(
      Day("gone", ids: [8]), Day("a", ids: [1, 2, 3]), Day("b", ids: [4]),
      Day("m", ids: [6]))
    var moved = Day("m", ids: [6])
    moved.items[0].title = "changed"
    var changed = Day("a", ids: [3, 9, 2])
    changed.items[2].title = "changed"
    let new = snapshot(moved, changed, Day("c", ids: [7]), Day("b", ids: [4, 1]))
    var rows = StrictRows(before)
    let batch = BatchUpdates(
      from: before, to: new,
      .init(
        sectionDeletes: [0], sectionInserts: [2],
        sectionMoves: [.init(from: 3, to: 0)], itemInserts: [at(1, 1)],
        itemMoves: [
          ItemPath.Move(from: at(1, 2), to: at(1, 0)), ItemPath.Move(from: at(1, 0), to: at(3, 1)),
        ],
        itemUpdates: [
          ItemPath.Move(from: at(1, 1), to: at(1, 2)), ItemPath.Move(from: at(3, 0), to: at(0, 0)),
        ]),
      nodes: [at(1, 1): node, at(2, 0): node, at(1, 2): node]
    )
    do { try rows.perform(batch) } catch { Issue.record(error) }
    #expect(rows.matches(new))
  }

  @Test("D6: deletes, inserts and moves of items in a moved section are refused")
  func movedSections() {
    let moves = [Changeset.Move(from: 1, to: 0)]
    let less = snapshot(Day("b", ids: []), Day("a", ids: [1, 2, 3]))
    #expect(rule(to: less, .init(sectionMoves: moves, itemDeletes: [at(1, 0)])) == .movedSection)
    let more = snapshot(Day("b", ids: [4, 5]), Day("a", ids: [1, 2, 3]))
    #expect(rule(to: more, .init(sectionMoves: moves, itemInserts: [at(0, 1)])) == .movedSection)
    let crossed = snapshot(Day("b", ids: [4, 1]), Day("a", ids: [2, 3]))
    let into = ItemPath.Move(from: at(0, 0), to: at(0, 1))
    #expect(rule(to: crossed, .init(sectionMoves: moves, itemMoves: [into])) == .movedSection)
  }

  @Test("D6: counts that contradict the operations are refused")
  func counts() {
    let short = snapshot(Day("a", ids: [1, 2]), Day("b", ids: [4]))
    #expect(rule(to: short) == .countMismatch)
    #expect(rule(to: snapshot(Day("a", ids: [1, 2, 3]))) == .countMismatch)
    let crossing = snapshot(Day("a", ids: [1, 2]), Day("b", ids: [4, 3]))
    let fakeMove = ItemPath.Move(from: at(0, 2), to: at(0, 1))
    #expect(rule(to: crossing, .init(itemMoves: [fakeMove])) == .countMismatch)
  }

  @Test("D6: paths and offsets out of bounds are refused")
  func bounds() {
    #expect(rule(to: old, .init(sectionDeletes: [2])) == .outOfBounds)
    #expect(rule(to: old, .init(sectionInserts: [-1])) == .outOfBounds)
    #expect(rule(to: old, .init(itemDeletes: [at(0, 3)])) == .outOfBounds)
    #expect(rule(to: old, .init(itemInserts: [at(2, 0)])) == .outOfBounds)
  }

  @Test("D6: operations that contradict each other are refused")
  func namedTwice() {
    let less = snapshot(Day("a", ids: [2, 3]), Day("b", ids: [4]))
    #expect(rule(to: less, .init(itemDeletes: [at(0, 0), at(0, 0)])) == .namedTwice)
    let move = ItemPath.Move(from: at(0, 0), to: at(0, 1))
    #expect(rule(to: less, .init(itemDeletes: [at(0, 0)], itemMoves: [move])) == .namedTwice)
    #expect(rule(to: less, .init(itemDeletes: [at(0, 0)], itemUpdates: [move])) == .namedTwice)
    #expect(rule(to: old, .init(itemInserts: [at(0, 1)], itemMoves: [move])) == .namedTwice)
    #expect(
      rule(to: old, .init(sectionDeletes: [0], sectionMoves: [.init(from: 0, to: 1)]))
        == .namedTwice)
  }

  @Test("D6: item moves out of deleted and into inserted sections are refused")
  func sectionEdges() {
    let rest = snapshot(Day("b", ids: [4, 1]))
    let out = ItemPath.Move(from: at(0, 0), to: at(0, 1))
    #expect(rule(to: rest, .init(sectionDeletes: [0], itemMoves: [out])) == .deletedSection)
    let more = snapshot(Day("a", ids: [2, 3]), Day("b", ids: [4]), Day("c", ids: [1]))
    let into = ItemPath.Move(from: at(0, 0), to: at(2, 0))
    #expect(rule(to: more, .init(sectionInserts: [2], itemMoves: [into])) == .insertedSection)
  }

  @Test("D1: rows and sections at wrong positions are refused")
  func wrongPlace() {
    let swapped = snapshot(Day("a", ids: [2, 1, 3]), Day("b", ids: [4]))
    #expect(rule(to: swapped) == .wrongPlace)
    let turned = snapshot(Day("b", ids: [4]), Day("a", ids: [1, 2, 3]))
    #expect(rule(to: turned) == .countMismatch)
    let renamed = snapshot(Day("x", ids: [1, 2, 3]), Day("b", ids: [4]))
    #expect(rule(to: renamed) == .wrongPlace)
    let update = ItemPath.Move(from: at(0, 0), to: at(0, 1))
    #expect(rule(to: old, .init(itemUpdates: [update])) == .wrongPlace)
  }

  @Test("D1: rows that different batches have inserted are not mistaken for each other")
  func insertedRows() throws {
    let shown = [[], [1], [1, 2]].map { snapshot(Day("a", ids: $0)) }
    var rows = StrictRows(shown[0])
    for (before, after) in zip(shown, shown.dropFirst()) {
      let path = at(0, before.numberOfItems(in: 0))
      try rows.perform(BatchUpdates(from: before, to: after, .init(itemInserts: [path])))
    }
    let update = ItemPath.Move(from: at(0, 0), to: at(0, 1))
    #expect(throws: BatchViolation.self) {
      try rows.perform(BatchUpdates(from: shown[2], to: shown[2], .init(itemUpdates: [update])))
    }
  }

  @Test("D7: a changed row without an update, and a cell for an unchanged row, are refused")
  func updates() {
    var part = Day("a", ids: [1, 2, 3])
    part.items[1].title = "changed"
    let new = snapshot(part, Day("b", ids: [4]))
    #expect(rule(to: new) == .missingUpdate)
    #expect(rule(to: old, nodes: [at(0, 0): node]) == .strayNode)
    let swapped = snapshot(Day("a", ids: [2, 1, 3]), Day("b", ids: [4]))
    let move = ItemPath.Move(from: at(0, 0), to: at(0, 1))
    #expect(rule(to: swapped, .init(itemMoves: [move]), nodes: [at(0, 1): node]) == .strayNode)
  }

  @Test("D13: a changed section needs one update with its old and new offset")
  func sectionUpdates() {
    let new = snapshot(Day("b", ids: [4]), Day("a", header: "new", ids: [1, 2, 3]))
    let move = Changeset.Move(from: 0, to: 1)
    func rule(_ updates: [Changeset.Move]) -> BatchViolation.Rule? {
      self.rule(to: new, .init(sectionMoves: [move], sectionUpdates: updates))
    }
    #expect(rule([move]) == nil)
    #expect(rule([]) == .missingUpdate)
    #expect(rule([move, move]) == .namedTwice)
    #expect(rule([.init(from: 1, to: 1)]) == .wrongPlace)
    #expect(rule([.init(from: 0, to: 2)]) == .outOfBounds)
  }

  @Test(
    "D6: a violation is recorded as an issue, and is described with its operation, rule and position"
  )
  func issue() async {
    let surface = StrictSurface<Day>()
    await surface.reloadData(old)
    let batch = BatchUpdates(from: old, to: old, .init(itemDeletes: [at(0, 7)]))
    let issues = await recordedIssues {
      await surface.performBatchUpdates(batch, animated: true)
    }
    #expect(issues.count == 1)
    #expect(
      await surface.violations.map(\.description)
        == ["itemDeletes: [0, 7] is out of bounds; the number of items in section 0 was 3"])
  }

  @Test("D8: overlapping calls and a batch before the first reload are violations")
  func overlap() async {
    let (entered, enter) = AsyncStream.makeStream(of: Void.self)
    let (released, release) = AsyncStream.makeStream(of: Void.self)
    let surface = StrictSurface<Day>(recordsIssues: false) { call in
      guard case .batch = call else { return }
      enter.yield()
      for await _ in released { break }
    }
    await surface.reloadData(old)
    async let slow: Void = surface.performBatchUpdates(
      BatchUpdates(from: old, to: old), animated: true)
    for await _ in entered { break }
    await surface.reloadData(old)
    release.yield()
    await slow
    #expect(await surface.violations.map(\.rule) == [.overlap])

    let empty = StrictSurface<Day>(recordsIssues: false)
    await empty.performBatchUpdates(BatchUpdates(from: old, to: old), animated: true)
    #expect(await empty.violations.map(\.rule) == [.notLoaded])
  }

  @Test(
    "D6: after a violation, the surface shows the batch's snapshot, so later batches are checked")
  func afterAViolation() async {
    let surface = StrictSurface<Day>(recordsIssues: false)
    await surface.reloadData(old)
    let new = snapshot(Day("a", ids: [1, 2]), Day("b", ids: [4]))
    await surface.performBatchUpdates(BatchUpdates(from: old, to: new), animated: true)
    #expect(await surface.violations.map(\.rule) == [.countMismatch])
    #expect(await surface.rows?.matches(new) == true)
    let last = snapshot(Day("a", ids: [1]), Day("b", ids: [4]))
    await surface.performBatchUpdates(
      BatchUpdates(from: new, to: last, .init(itemDeletes: [at(0, 1)])), animated: true)
    #expect(await surface.violations.count == 1)
  }

  @Test("D6: two updates of the same row are refused")
  func updatedTwice() {
    var part = Day("a", ids: [1, 2, 3])
    part.items[1].title = "changed"
    let new = snapshot(part, Day("b", ids: [4]))
    let update = ItemPath.Move(from: at(0, 1), to: at(0, 1))
    #expect(rule(to: new, .init(itemUpdates: [update])) == nil)
    #expect(rule(to: new, .init(itemUpdates: [update, update])) == .namedTwice)
  }

  @Test("D13: rows do not match a snapshot whose sections have different contents")
  func contents() {
    let titled = snapshot(Day("a", header: "new", ids: [1, 2, 3]), Day("b", ids: [4]))
    #expect(!StrictRows(old).matches(titled))
    #expect(StrictRows(titled).matches(titled))
  }
}
