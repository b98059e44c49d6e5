@testable import AsyncDiff

@Suite struct MarkAndHistoryTests {
  @Test("D15, A11: after many marks, another data source still redraws the marked section and rows")
  func manyMarks() async throws {
    let (_surface, source) = try await strictSource(showing: oneDay([1, 2]))
    let (surface, other) = try await strictSource(showing: oneDay([1, 2]))
    var days = oneDay([1, 2])
    let section = days.sections[0].diffIdentifier
    for _ in 0..<8 {
      try days.reloadSections([section])
      try await source.apply(days)
    }
    // The ninth mark merges the others.
    try days.reloadItems([2])
    try await other.apply(days)
    let batch = try #require(await surface.lastBatch)
    #expect(batch.sectionUpdates.map(\.to) == [0])
    #expect(batch.itemUpdates.map(\.to) == [at(0, 0), at(0, 1)])
    #expect(Set(batch.nodes.keys) == [at(0, 0), at(0, 1)], "reloaded rows get new cells")
    withExtendedLifetime(_surface) {}
  }

  @Test("A11, D15: marks that no data source has applied are merged, and none is lost")
  func unappliedMarks() async throws {
    let (surface, source) = try await strictSource(showing: oneDay([1, 2, 3]))
    var days = oneDay([1, 2, 3])
    try days.reconfigureItems([1])
    for _ in 0..<1_000 { try days.reloadItems([2]) }
    #expect(days.marks.marks.count <= 128)
    #expect(try await source.apply(days) == .updated(2))
    #expect(await surface.lastBatch.map { Set($0.nodes.keys) } == [at(0, 1)])
    // Fewer marks than items are not merged, because a snapshot that is being shown may contain some of them.
    var many = oneDay(Array(0..<200))
    for id in 0..<100 { try many.reloadItems([id]) }
    #expect(many.marks.marks.count == 100)
  }

  @Test("A11: a data source whose surface is gone applies marks, so they do not pile up")
  func marksWithoutSurface() async throws {
    var surface: StrictSurface<Day>?
    let source: DiffableDataSource<Day>
    (surface, source) = try await strictSource(showing: oneDay([1, 2]))
    withExtendedLifetime(surface) {}
    surface = nil
    var days = oneDay([1, 2])
    var most = 0
    for _ in 0..<50 {
      try days.reloadItems([2])
      most = max(most, days.marks.marks.count)
      #expect(try await source.apply(days) == .surfaceGone)
    }
    #expect(most == 8)
  }

  @Test("D21: if observers ask for histories of different lengths, the source keeps the longest")
  func largestHistory() async throws {
    let (surface, source) = try await strictSource(showing: oneDay([1]))
    var short = source.patches(history: 1).makeAsyncIterator()
    var long = source.patches(history: 8).makeAsyncIterator()
    var revisions: [SnapshotRevision] = []
    for last in 1...4 {
      try await source.apply(oneDay(Array(1...last)))
      _ = await short.next()
      revisions.append(try #require(await long.next()).revision)
    }
    var again = source.patches(since: revisions[1], full: .whereNeeded).makeAsyncIterator()
    let message = try #require(await again.next())
    #expect(!message.isFull && message.revision == revisions[3])
    withExtendedLifetime(surface) {}
  }

  @Test("A5: replacingMovedUpdates returns a batch with ascending inserts and deletes")
  func replacedInOrder() throws {
    let old = Days(sections: [Day("a", ids: [1, 2])])
    let new = Days(sections: [Day("a", [Article(2, "new"), Article(1, "new"), Article(3)])])
    let batch = try #require(old.batches(to: new).first).replacingMovedUpdates()
    #expect(batch.itemInserts.count == 2 && batch.itemMoves.isEmpty)
    #expect(batch.itemInserts == batch.itemInserts.sorted())
    #expect(batch.itemDeletes == batch.itemDeletes.sorted())
  }
}
