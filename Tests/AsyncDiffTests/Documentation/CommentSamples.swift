import AsyncDiff
import AsyncKnot

// The samples of the documentation comments, and of the articles where no test has them: compiled, and not run.

private enum Models {
  struct Message: Diffable, Equatable {
    let number: Int  // given by the server, for ever
    var text: String
    var isRead: Bool

    var diffIdentifier: Int { number }
  }

  struct Link {
    let url: String
    var title: String
  }

  struct Banner: Nodable {
    let title: String
    var diffIdentifier: String { title }
    func nodeBlock(with channel: NodeEventChannel, at path: ItemPath) -> NodeBlock {
      { BannerNode(title: title) }
    }
  }

  struct Row: Nodable {
    let diffIdentifier: Int
    func nodeBlock(with channel: NodeEventChannel, at path: ItemPath) -> NodeBlock {
      { BannerNode(title: "") }
    }
    func sizeRange(in context: NodeContext) -> SizeRange {
      context.sizeRange(height: 44)
    }
  }

  struct BannerNode: CellNode { let title: String }

  enum HomeSection: SectionInflator {
    case banner(Banner)
    case articles(day: Int, [Article])

    var diffIdentifier: Int {
      switch self {
      case .banner: -1
      case .articles(let day, _): day
      }
    }
    var items: [AnyNodable] {
      switch self {
      case .banner(let banner): [AnyNodable(banner)]
      case .articles(_, let articles): articles.map(AnyNodable.init)
      }
    }
  }

  struct Day: SectionInflator {
    let number: Int
    let title: String
    let items: [Article]
    var diffIdentifier: Int { number }
    var content: String { title }  // a new title reaches the surface as an update of the section
  }

  struct Folder: Diffable, Equatable {
    let diffIdentifier: Int
  }
}

private struct SubjectFeed: Equatable { var subjects: [Article] }

private enum Guide {
  enum HomeFeed: SectionInflator {
    case banner(Banner)
    case subjects(SubjectFeed)

    var diffIdentifier: Int {
      switch self {
      case .banner: 0
      case .subjects: 1
      }
    }
    var items: [AnyNodable] {
      switch self {
      case .banner(let banner):
        [AnyNodable(banner)]
      case .subjects(let feed):
        feed.subjects.map(AnyNodable.init)
      }
    }
  }

  static func standardLibrary(old: [Int], new: [Int]) -> [Int]? {
    let difference = new.difference(from: old)
    let copy = old.applying(difference.inferringMoves())
    return copy
  }
}

extension Surfaces.ListView {
  fileprivate func drawAll() {}
  fileprivate func draw(_ batch: BatchUpdates<Models.HomeSection>) {}
}

private enum Surfaces {
  typealias HomeSection = Models.HomeSection

  @MainActor final class ListView: CollectionSurface {
    private var shown = DiffableSnapshot<HomeSection>()

    func reloadData(_ snapshot: DiffableSnapshot<HomeSection>) async {
      shown = snapshot
      drawAll()
    }
    func performBatchUpdates(_ batch: BatchUpdates<HomeSection>, animated: Bool) async {
      shown = batch.snapshot
      draw(batch)
    }
  }

  @MainActor final class Pane: CollectionSurface {
    let bounds = SizeRange.Size(width: 320, height: 480)

    func nodeDemand(for snapshot: DiffableSnapshot<HomeSection>) async -> NodeDemand {
      NodeDemand(
        paths: snapshot.paths.prefix(20),
        context: NodeContext(containerSize: .init(width: bounds.width, height: bounds.height)))
    }
    func reloadData(_ snapshot: DiffableSnapshot<HomeSection>) async {}
    func performBatchUpdates(_ batch: BatchUpdates<HomeSection>, animated: Bool) async {}
  }

  @MainActor final class PageView<Section: SectionInflator>: CollectionSurface {
    private var rows = DiffableSnapshot<Section>()

    func reloadData(_ snapshot: DiffableSnapshot<Section>) async { rows = snapshot }

    func performBatchUpdates(_ batch: BatchUpdates<Section>, animated: Bool) async {
      rows = batch.snapshot
      for path in batch.itemInserts { highlight(path, showing: batch.nodes[path]) }
    }

    private func highlight(_ path: ItemPath, showing node: (any CellNode)?) {}
  }
}

private func changesets(old: [Article], new: [Article], shown: [Article], received: [Article]) {
  do {
    let change = Changeset(from: [1, 2, 3, 4], to: [4, 1, 3], id: \.self, isContentEqual: ==)
    print(change.deletes)  // [1]
    print(change.moves)  // [Move(from: 3, to: 0)]
  }
  do {
    let change = Changeset(from: shown, to: received)
    print(change)
  }
  do {
    let change = Changeset(from: old, to: new)
    print(old.applying(change, from: new) == new)  // true
  }
  let batch = Changeset(from: old, to: new).replacingMovedUpdates()
  print(batch)
}

private func closures(old: [Models.Link], new: [Models.Link]) -> Changeset {
  let change = Changeset(
    from: old, to: new, id: \.url, isContentEqual: { $0.title == $1.title })
  return change
}

private struct Malformed: Error {}

private func offsets(
  _ change: Changeset, old: [Article], rows: [Int], newRows: [Int], indexPath: ItemPath,
  row: Int
) throws -> (Article?, Int?) {
  guard change.isValid(from: rows.count, to: newRows.count) else { throw Malformed() }
  let oldRow = change.oldOffset(of: indexPath.item).map { old[$0] }
  let newRow = change.newOffset(of: row)
  return (oldRow, newRow)
}

private func mixed(_ banner: Models.Banner, _ article: Article, open: (Article) -> Void) {
  let items = [AnyNodable(banner), AnyNodable(article)]
  if let article = items[1].base as? Article { open(article) }
}

private struct Vote: Sendable { let choice: Int }

private func voting(
  _ channel: NodeEventChannel, _ event: NodeEvent, _ poll: Poll, at path: ItemPath,
  count: (Vote) -> Void
) {
  channel.send(.ok(info: Vote(choice: 2)), from: poll, at: path)
  if let vote = event.action.payload(as: Vote.self) { count(vote) }
}

private func snapshots(_ banner: Models.Banner) throws {
  typealias HomeSection = Models.HomeSection
  var snapshot = DiffableSnapshot(sections: [HomeSection.banner(banner)])
  print(snapshot.numberOfItems(in: 0))  // 1
  print(snapshot.sections[0].items)  // what is shown, after edits too
  let item = snapshot.itemIfPresent(at: ItemPath(section: 4, item: 0))  // nil
  try snapshot.deleteSections([HomeSection.banner(banner).diffIdentifier])

  let first = DiffableSnapshot(sections: snapshot.sections.prefix(3))
  print(item as Any, first)
}

@MainActor private final class Label { var text = "" }

@MainActor private func heading(_ snapshot: Days, header: Label) {
  let section = snapshot.sections[0]
  header.text = section.content
  print(section.items.count)  // also after edits of the snapshot, and between two stages
}

private func showing(
  _ sections: [Day], on listView: LineSurface, open: (Article) -> Void
) async throws {
  let source = DiffableDataSource(surface: listView)
  try await source.apply(DiffableSnapshot(sections: sections))
  for await event in source.events(of: Article.self) where event.action == .didSelect {
    open(event.model)
  }
}

private actor Model: StateActor {
  struct State: Sendable { var sections: [Day] = [] }
  let knot = Knot(State())
}

private func following(_ model: Model, on source: DiffableDataSource<Day>, bag: TaskBag) async {
  await model.states.pipe(to: source) { DiffableSnapshot(sections: $0.sections) }

  model.states.pipe(to: source, in: bag) { DiffableSnapshot(sections: $0.sections) }
}

@MainActor private final class Presenter {
  let source: DiffableDataSource<Day>
  var articles: [Article] { didSet { source.submit(snapshot(of: articles)) } }

  init(_ source: DiffableDataSource<Day>) {
    self.source = source
    articles = []
  }

  private func snapshot(of articles: [Article]) -> Days { Days(sections: [Day("a", articles)]) }
}

private struct Acceptance {
  func accepts(_ item: Article, at path: ItemPath) -> Bool { true }
  func take(_ snapshot: Days) {}
}

private func reordering(_ source: DiffableDataSource<Day>, in model: Acceptance) async {
  for await reorder in source.reorders {
    if model.accepts(reorder.item, at: reorder.move.to) {
      model.take(reorder.after)
    } else {
      source.putBack(reorder)
    }
  }
}

private struct Adapter {
  func insert(_ item: Article, at path: ItemPath) {}
  func remove(_ path: ItemPath) {}
  func redraw(_ item: Article, at path: ItemPath) {}
  func redrawAll() {}
}

private func stepByStep(_ batch: BatchUpdates<Day>, in adapter: Adapter) {
  for step in batch.sequentialSteps {
    switch step {
    case .deleteItem(let path): adapter.remove(path)
    case .insertItem(let item, let path): adapter.insert(item, at: path)
    case .updateItem(let item, let path): adapter.redraw(item, at: path)
    default: return adapter.redrawAll()  // or a call for each of the others
    }
  }
}

@MainActor private final class Cell { let titleLabel = Label() }

@MainActor private func redrawing(_ batch: BatchUpdates<Day>) {
  func cell(at path: ItemPath) -> Cell { Cell() }
  for change in batch.itemChanges where change.before.title != change.after.title {
    cell(at: change.move.to).titleLabel.text = change.after.title
  }
}

private func keeping(_ batch: BatchUpdates<Day>, selection: Set<ItemPath>, topRow: ItemPath) {
  let map = batch.pathMap
  let selected = map.newPaths(of: selection)
  let top = map.anchor(near: topRow)
  print(selected, top as Any)
}

private protocol Scrolling: CollectionSurface<Day> {
  func select(_ paths: Set<ItemPath>) async
  func scroll(to path: ItemPath?) async
}

private func staging(
  _ surface: some Scrolling, from shown: Days, to received: Days, selection: Set<ItemPath>,
  topRow: ItemPath
) async throws {
  for stage in shown.batches(to: received) {
    try await surface.performBatchUpdates(stage, animated: true)
  }

  let change = shown.change(to: received)
  for stage in change.stages { try await surface.performBatchUpdates(stage, animated: true) }
  await surface.select(change.newPaths(of: selection))
  await surface.scroll(to: change.anchor(near: topRow))
}

private func outline(
  inbox: Models.Folder, archive: Models.Folder, work: Models.Folder, family: Models.Folder
) throws {
  typealias Folder = Models.Folder
  var tree = ItemTree<Folder>()
  try tree.append([inbox, archive])
  try tree.append([work, family], to: archive.diffIdentifier)
  try tree.expand(archive.diffIdentifier)
  print(tree.rows.map(\.item))  // inbox, archive, work, family
}
