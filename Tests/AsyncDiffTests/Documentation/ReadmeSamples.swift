import AsyncDiff
import AsyncDiffTesting
import AsyncKnotTesting
import Testing

/// The sample of the README's section on AsyncDiff.
@Suite struct ReadmeSamples {
  struct TitleNode: CellNode { let text: String }

  struct Article: Nodable {
    let id: Int
    var title: String
    var diffIdentifier: Int { id }

    func nodeBlock(with channel: NodeEventChannel, at path: ItemPath) -> NodeBlock {
      { TitleNode(text: title) }
    }
  }

  struct Day: SectionInflator {
    let diffIdentifier: String
    var items: [Article]
  }

  @Test("The README's snapshot is shown")
  func snapshot() async throws {
    let surface = StrictSurface<Day>()
    let articles = [Article(id: 1, title: "One"), Article(id: 2, title: "Two")]

    let source = DiffableDataSource(surface: surface)
    let today = Day(diffIdentifier: "today", items: articles)
    try await source.apply(DiffableSnapshot(sections: [today]))

    #expect(source.snapshot.numberOfItems(in: 0) == 2)
  }
}
