import AsyncDiff
import TerminalUI

/// Draws the feed on a terminal, and tells the data source what the user does with its rows.
actor FeedSurface: CollectionSurface {
  private var picture: FeedPicture
  private var source: DiffableDataSource<FeedSection>?
  private let show: @Sendable (Frame) -> Void

  init(size: Size, show: @escaping @Sendable (Frame) -> Void) {
    picture = FeedPicture(size: size)
    self.show = show
  }

  /// The source holds its surface weakly, so that the surface may hold its source.
  func connect(to source: DiffableDataSource<FeedSection>) {
    self.source = source
  }

  func reloadData(_ snapshot: DiffableSnapshot<FeedSection>) async {
    guard let channel = source?.channel else { return }
    var nodes: [ItemPath: any CellNode] = [:]
    for section in snapshot.sections.indices {
      for (item, model) in snapshot.items(in: section).enumerated() {
        let path = ItemPath(section: section, item: item)
        nodes[path] = await model.nodeBlock(with: channel, at: path)()
      }
    }
    picture.reload(snapshot, nodes: nodes)
    draw()
  }

  func performBatchUpdates(_ batch: BatchUpdates<FeedSection>, animated: Bool) async {
    picture.perform(batch)
    draw()
  }

  var frame: Frame { picture.frame }

  func resize(to size: Size) {
    change { $0.size = size }
  }

  func change(_ body: (inout FeedPicture) -> Void) {
    body(&picture)
    draw()
  }

  /// Selects the row under the cursor.
  ///
  /// - Returns: Whether somebody will hear of it.
  func select() -> Bool {
    guard let source, let path = picture.cursorPath else { return false }
    source.send(.didSelect, at: path, in: picture.snapshot)
    return !(picture.snapshot.item(at: path).base is Header)
  }

  /// Votes in the poll under the cursor, as its node would if it had buttons.
  ///
  /// - Returns: Whether there is a poll.
  func vote() -> Bool {
    guard let source, let path = picture.cursorPath,
      let poll = picture.snapshot.item(at: path).base as? Poll
    else { return false }
    source.channel.send(.ok(info: Poll.Vote(option: picture.option)), from: poll, at: path)
    return true
  }

  private func draw() {
    show(picture.frame)
  }
}
