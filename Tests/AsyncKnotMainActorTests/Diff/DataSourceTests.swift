import AsyncDiff
import AsyncKnotTesting
import Testing

// A data source in a target that is main-actor by default. Models need no annotation, but a class that
// adopts a `Sendable` protocol needs an explicit `@MainActor`.

struct Story: Nodable {
  let id: Int
  var title = ""

  var diffIdentifier: Int { id }

  func nodeBlock(with channel: NodeEventChannel, at path: ItemPath) -> NodeBlock {
    { await StoryNode(story: self, channel: channel, path: path) }
  }
}

/// A node that lives on the main actor.
@MainActor final class StoryNode: CellNode {
  let story: Story
  private let channel: NodeEventChannel
  private let path: ItemPath

  init(story: Story, channel: NodeEventChannel, path: ItemPath) {
    self.story = story
    self.channel = channel
    self.path = path
  }

  func like() {
    channel.send(.ok(info: "like"), from: story, at: path)
  }
}

enum Chapter: SectionInflator {
  case stories([Story])

  var diffIdentifier: Int { 0 }
  var items: [AnyNodable] {
    switch self {
    case .stories(let stories): stories.map(AnyNodable.init)
    }
  }
}

@MainActor final class StoryList: CollectionSurface {
  private(set) var titles: [String] = []
  private(set) var nodes: [ItemPath: StoryNode] = [:]

  func reloadData(_ snapshot: DiffableSnapshot<Chapter>) async {
    show(snapshot)
  }

  func performBatchUpdates(_ batch: BatchUpdates<Chapter>, animated: Bool) async {
    nodes = batch.nodes.compactMapValues { $0 as? StoryNode }
    show(batch.snapshot)
  }

  private func show(_ snapshot: DiffableSnapshot<Chapter>) {
    titles = snapshot.items(in: 0).compactMap { ($0.base as? Story)?.title }
  }
}

@Suite struct DataSourceTests {
  private func chapter(_ titles: [String]) -> DiffableSnapshot<Chapter> {
    DiffableSnapshot(sections: [
      .stories(titles.enumerated().map { Story(id: $0.offset, title: $0.element) })
    ])
  }

  @Test(
    "D8: a main-actor view shows snapshots, and a batch has a node for each new or changed item")
  func shows() async throws {
    let list = StoryList()
    let source = DiffableDataSource(surface: list)
    #expect(try await source.apply(chapter(["a", "b"])) == .reloaded)
    #expect(list.titles == ["a", "b"])
    #expect(try await source.apply(chapter(["a", "c", "d"])) == .updated(2))
    #expect(list.titles == ["a", "c", "d"])
    #expect(list.nodes.values.map(\.story.title).sorted() == ["c", "d"])
    #expect(source.snapshot == chapter(["a", "c", "d"]))
  }

  @Test("A22: a node on the main actor sends its own events")
  func sends() async throws {
    let list = StoryList()
    let source = DiffableDataSource(surface: list)
    try await source.apply(chapter([]))
    try await source.apply(chapter(["a"]))
    var events = source.events(of: Story.self).makeAsyncIterator()
    list.nodes[ItemPath(section: 0, item: 0)]?.like()
    source.send(.didSelect, at: ItemPath(section: 0, item: 0))
    let liked = await events.next()
    #expect(liked?.action == .ok(info: "like"))
    #expect(await events.next()?.action == .didSelect)
  }
}
