import AsyncDiff
import AsyncDiffTesting
import AsyncKnot
import AsyncKnotTesting

// Samples of the articles that are compiled and not run.

func overview(
  old: [Article], new: [Article], sections: [Day], listView: StrictSurface<Day>,
  open: (Article) -> Void
) async throws {
  let change = Changeset(from: old, to: new)
  print(change.deletes)  // offsets in the old array
  print(change.moves)  // as few as possible

  let source = DiffableDataSource(surface: listView)
  try await source.apply(DiffableSnapshot(sections: sections))  // returns when it is shown

  for await event in source.events(of: Article.self) where event.action == .didSelect {
    open(event.model)
  }
}

struct PollNode {
  struct Vote: Sendable { let choice: Int }

  let channel: NodeEventChannel
  let poll: Poll
  let path: ItemPath

  func vote() {
    channel.send(
      .ok(info: Vote(choice: 2)),
      from: poll,
      at: path)
  }
}

struct Banner: Nodable {
  let imageName: String

  var diffIdentifier: String {
    imageName
  }

  func nodeBlock(
    with channel: NodeEventChannel,
    at path: ItemPath
  ) -> NodeBlock {
    { await BannerNode(imageName: imageName) }
  }
}

@MainActor final class BannerNode: CellNode {
  let imageName: String

  init(imageName: String) {
    self.imageName = imageName
  }
}

func show(
  _ snapshot: Days, then sections: [Day], on source: DiffableDataSource<Day>
) async throws {
  try await source.apply(snapshot)

  try await source.apply(
    DiffableSnapshot(sections: sections),
    animatingDifferences: true)
  // It is shown now.
}

func listen(
  to source: DiffableDataSource<Page>, hide: (Banner, ItemPath) -> Void
) async {
  for await event in source.events(of: Banner.self)
  where event.action == .didSelect {
    hide(event.model, event.path)
  }
}

func tell(
  _ source: DiffableDataSource<Day>, at path: ItemPath, old: Days, batch: BatchUpdates<Day>
) {
  source.send(.didSelect, at: path)
  source.send(.endDisplay, at: path, in: old)
  source.send(.willDisplay, at: path, in: batch.snapshot)
}

func build(
  _ snapshot: Days, at path: ItemPath, for source: DiffableDataSource<Day>
) async -> any CellNode {
  let block = snapshot.item(at: path).nodeBlock(with: source.channel, at: path)
  let node = await block()
  return node
}

extension PickySurface {
  func sizesOfVisibleRows(
    of source: DiffableDataSource<Day>, comingUp: [ItemPath], context: NodeContext
  ) async -> [ItemPath: SizeRange] {
    let set = await source.nodes(for: NodeDemand(paths: comingUp, context: context))
    return set.sizes
  }
}

func follow(
  _ states: some AsyncSequence<[Day], Never> & Sendable, on source: DiffableDataSource<Day>
) async {
  await states.pipe(to: source) { DiffableSnapshot(sections: $0) }
}

func keepPlace(
  from shown: Days, to received: Days, selection: Set<ItemPath>, topRow: ItemPath
) -> (Set<ItemPath>, ItemPath?) {
  let change = shown.change(to: received)
  let selected = change.newPaths(of: selection)
  let top = change.anchor(near: topRow)
  return (selected, top)
}

func drags(
  on source: DiffableDataSource<Day>, isAllowed: (Article) -> Bool, take: (Days) -> Void
) async {
  for await reorder in source.reorders {
    if isAllowed(reorder.item) {
      take(reorder.after)
    } else {
      source.putBack(reorder)
    }
  }
}

func offsets(in old: [Article], _ new: [Article], _ row: Int) -> (Int?, Int?, Bool) {
  let change = Changeset(from: old, to: new)
  let hasChanges = !change.isEmpty
  let newRow = change.newOffset(of: row)
  let oldRow = change.oldOffset(of: row)
  return (newRow, oldRow, hasChanges)
}
