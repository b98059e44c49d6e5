import AsyncDiff
import AsyncDiffTesting
import AsyncKnotTesting
import Testing

@Suite struct DocumentationTests {
  @Test("a surface written as the article says shows what it should, stage for stage")
  func lineSurface() async throws {
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<200 {
      let (old, new) = (Days.random(&generator), Days.random(&generator))
      let surface = LineSurface()
      await surface.reloadData(old)
      var rows = StrictRows(old)
      for batch in old.batches(to: new) {
        try rows.perform(batch)
        await surface.performBatchUpdates(batch, animated: false)
        #expect(await surface.lines == rows.items.map { $0.map(\.title) })
      }
      #expect(rows.matches(new))
    }
  }

  @Test("the collection view of the article gets each operation, and its rows are those shown")
  @MainActor func collectionView() async throws {
    let view = UICollectionView()
    let list = ArticleList(view)
    let source = DiffableDataSource(surface: list)
    list.source = source
    try await source.apply(Days(sections: [Day("a", ids: [1, 2, 3]), Day("b", ids: [4])]))
    try await source.apply(Days(sections: [Day("a", [Article(3), Article(1, "new")])]))
    #expect(view.calls.contains("deleteSections [1]") && view.calls.contains("deleteItems 1"))
    #expect(view.calls.contains("moveItem") && view.calls.last == "reconfigureItems 1")
    list.collectionView(
      view, moveItemAt: IndexPath(item: 0, section: 0), to: IndexPath(item: 1, section: 0))
    #expect(source.snapshot.ids == [[1, 3]])
    #expect(list.collectionView(view, cellForItemAt: IndexPath(item: 0, section: 0)).title == "new")
  }

  @Test("the edits that the migration guide shows do what their names say")
  func edits() async throws {
    let surface = StrictSurface<Day>()
    let source = DiffableDataSource(surface: surface)
    try await source.apply(Days(sections: [Day("Today", ids: [])]))
    let (article, late, changed) = (Article(1), Article(2), Article(1, "changed"))

    var snapshot = source.snapshot
    try snapshot.appendItems([article], toSection: "Today")
    try snapshot.insertItems([late], beforeItem: article.diffIdentifier)
    try snapshot.moveItem(late.diffIdentifier, toEndOfSection: "Today")
    try snapshot.replaceItems([changed])
    try snapshot.reconfigureItems([article.diffIdentifier])
    try snapshot.deleteItems([late.diffIdentifier])
    try await source.apply(snapshot)

    #expect(await surface.rows?.items == [[changed]])
  }

  @Test("a changeset is applied as the migration guide shows")
  func changeset() async throws {
    let (old, new) = ([Article(1), Article(2)], [Article(2), Article(3)])
    let change = Changeset(
      from: old, to: new)
    let copy = old.applying(
      change, from: new)
    #expect(copy == new)
  }
}
