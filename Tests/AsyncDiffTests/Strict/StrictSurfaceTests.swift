import AsyncDiff
import AsyncDiffTesting
import TestSupport
import Testing

struct StrictRow: Nodable {
  let id: Int
  var text = ""
  var diffIdentifier: Int { id }
  func nodeBlock(with channel: NodeEventChannel, at path: ItemPath) -> NodeBlock { { Node() } }
  struct Node: CellNode {}
}

struct StrictPart: SectionInflator {
  let id: String
  var items: [StrictRow]
  var diffIdentifier: String { id }
  init(_ id: String, _ rows: [Int]) {
    self.id = id
    items = rows.map { StrictRow(id: $0) }
  }
}

private func snapshot(_ parts: StrictPart...) -> DiffableSnapshot<StrictPart> {
  DiffableSnapshot(sections: parts)
}

@Suite struct StrictSurfaceTests {
  let old = snapshot(StrictPart("a", [1, 2, 3]), StrictPart("b", [4]))

  /// The rule that a batch breaks when it is carried out on `old`.
  private func rule(_ batch: BatchUpdates<StrictPart>) -> BatchViolation.Rule? {
    var rows = StrictRows(old)
    do {
      try rows.perform(batch)
      #expect(rows.matches(batch.snapshot))
      return nil
    } catch {
      #expect(rows.matches(old), "a refused batch changes nothing")
      return error.rule
    }
  }

  @Test("D6: a sound batch of every operation is carried out by position")
  func soundBatch() {
    let before = snapshot(
      StrictPart("gone", [8]), StrictPart("a", [1, 2, 3]), StrictPart("b", [4]),
      StrictPart("m", [6]))
    var moved = StrictPart("m", [6])
    moved.items[0].text = "changed"
    var changed = StrictPart("a", [3, 9, 2])
    changed.items[2].text = "changed"
    let new = snapshot(moved, changed, StrictPart("c", [7]), StrictPart("b", [4, 1]))
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
      nodes: [at(1, 1): StrictRow.Node(), at(2, 0): StrictRow.Node(), at(1, 2): StrictRow.Node()]
    )
    do { try rows.perform(batch) } catch { Issue.record(error) }
    #expect(rows.matches(new))
  }

  @Test("D6: items neither leave nor enter a section that moves")
  func movedSections() {
    let moves = [Changeset.Move(from: 1, to: 0)]
    let less = snapshot(StrictPart("b", []), StrictPart("a", [1, 2, 3]))
    #expect(
      rule(BatchUpdates(from: old, to: less, .init(sectionMoves: moves, itemDeletes: [at(1, 0)])))
        == .movedSection)
    let more = snapshot(StrictPart("b", [4, 5]), StrictPart("a", [1, 2, 3]))
    #expect(
      rule(BatchUpdates(from: old, to: more, .init(sectionMoves: moves, itemInserts: [at(0, 1)])))
        == .movedSection)
    let crossed = snapshot(StrictPart("b", [4, 1]), StrictPart("a", [2, 3]))
    let into = ItemPath.Move(from: at(0, 0), to: at(0, 1))
    #expect(
      rule(BatchUpdates(from: old, to: crossed, .init(sectionMoves: moves, itemMoves: [into])))
        == .movedSection)
  }

  @Test("D6: counts that do not follow from the operations are refused")
  func counts() {
    let short = snapshot(StrictPart("a", [1, 2]), StrictPart("b", [4]))
    #expect(rule(BatchUpdates(from: old, to: short)) == .countMismatch)
    #expect(
      rule(BatchUpdates(from: old, to: snapshot(StrictPart("a", [1, 2, 3])))) == .countMismatch)
    let crossing = snapshot(StrictPart("a", [1, 2]), StrictPart("b", [4, 3]))
    let fakeMove = ItemPath.Move(from: at(0, 2), to: at(0, 1))
    #expect(
      rule(BatchUpdates(from: old, to: crossing, .init(itemMoves: [fakeMove]))) == .countMismatch)
  }

  @Test("D6: paths and offsets that name nothing are refused")
  func bounds() {
    #expect(rule(BatchUpdates(from: old, to: old, .init(sectionDeletes: [2]))) == .outOfBounds)
    #expect(rule(BatchUpdates(from: old, to: old, .init(sectionInserts: [-1]))) == .outOfBounds)
    #expect(rule(BatchUpdates(from: old, to: old, .init(itemDeletes: [at(0, 3)]))) == .outOfBounds)
    #expect(rule(BatchUpdates(from: old, to: old, .init(itemInserts: [at(2, 0)]))) == .outOfBounds)
  }

  @Test("D6: operations that exclude each other are refused")
  func namedTwice() {
    let less = snapshot(StrictPart("a", [2, 3]), StrictPart("b", [4]))
    #expect(
      rule(BatchUpdates(from: old, to: less, .init(itemDeletes: [at(0, 0), at(0, 0)])))
        == .namedTwice)
    let move = ItemPath.Move(from: at(0, 0), to: at(0, 1))
    #expect(
      rule(BatchUpdates(from: old, to: less, .init(itemDeletes: [at(0, 0)], itemMoves: [move])))
        == .namedTwice)
    #expect(
      rule(BatchUpdates(from: old, to: less, .init(itemDeletes: [at(0, 0)], itemUpdates: [move])))
        == .namedTwice)
    #expect(
      rule(BatchUpdates(from: old, to: old, .init(itemInserts: [at(0, 1)], itemMoves: [move])))
        == .namedTwice)
    #expect(
      rule(
        BatchUpdates(
          from: old, to: old, .init(sectionDeletes: [0], sectionMoves: [.init(from: 0, to: 1)])))
        == .namedTwice)
  }

  @Test("D6: items neither leave a deleted section nor enter an inserted one")
  func sectionEdges() {
    let rest = snapshot(StrictPart("b", [4, 1]))
    let out = ItemPath.Move(from: at(0, 0), to: at(0, 1))
    #expect(
      rule(BatchUpdates(from: old, to: rest, .init(sectionDeletes: [0], itemMoves: [out])))
        == .deletedSection)
    let more = snapshot(StrictPart("a", [2, 3]), StrictPart("b", [4]), StrictPart("c", [1]))
    let into = ItemPath.Move(from: at(0, 0), to: at(2, 0))
    #expect(
      rule(BatchUpdates(from: old, to: more, .init(sectionInserts: [2], itemMoves: [into])))
        == .insertedSection
    )
  }

  @Test("D1: rows and sections that end in the wrong place are refused")
  func wrongPlace() {
    let swapped = snapshot(StrictPart("a", [2, 1, 3]), StrictPart("b", [4]))
    #expect(rule(BatchUpdates(from: old, to: swapped)) == .wrongPlace)
    let turned = snapshot(StrictPart("b", [4]), StrictPart("a", [1, 2, 3]))
    #expect(rule(BatchUpdates(from: old, to: turned)) == .countMismatch)
    let renamed = snapshot(StrictPart("x", [1, 2, 3]), StrictPart("b", [4]))
    #expect(rule(BatchUpdates(from: old, to: renamed)) == .wrongPlace)
    let update = ItemPath.Move(from: at(0, 0), to: at(0, 1))
    #expect(rule(BatchUpdates(from: old, to: old, .init(itemUpdates: [update]))) == .wrongPlace)
  }

  @Test("D7: a change that no update names is refused, and so is a node for a row that stayed")
  func updates() {
    var part = StrictPart("a", [1, 2, 3])
    part.items[1].text = "changed"
    let new = snapshot(part, StrictPart("b", [4]))
    #expect(rule(BatchUpdates(from: old, to: new)) == .missingUpdate)
    #expect(
      rule(BatchUpdates(from: old, to: old, nodes: [at(0, 0): StrictRow.Node()])) == .strayNode)
  }

  @Test("D6: a violation is an issue of the test, and names operation, rule and place")
  func issue() async {
    let surface = StrictSurface<StrictPart>()
    await surface.reloadData(old)
    let batch = BatchUpdates(from: old, to: old, .init(itemDeletes: [at(0, 7)]))
    let issues = await recordedIssues {
      await surface.performBatchUpdates(batch, animated: true)
    }
    #expect(issues.count == 1)
    #expect(
      await surface.violations.map(\.description)
        == ["itemDeletes: [0, 7] is out of bounds; section 0 had 3 items"])
  }

  @Test("D8: calls that overlap, and a batch before the first reload, are violations")
  func overlap() async {
    let (entered, enter) = AsyncStream.makeStream(of: Void.self)
    let (released, release) = AsyncStream.makeStream(of: Void.self)
    let surface = StrictSurface<StrictPart>(recordsIssues: false) { call in
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

    let empty = StrictSurface<StrictPart>(recordsIssues: false)
    await empty.performBatchUpdates(BatchUpdates(from: old, to: old), animated: true)
    #expect(await empty.violations.map(\.rule) == [.notLoaded])
  }
}
