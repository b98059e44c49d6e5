import AsyncDiff
import TerminalUI

/// Draws the feed on a terminal and sends the data source the user's events.
actor FeedSurface: CollectionSurface {
  private var picture: FeedPicture
  private var source: DiffableDataSource<FeedSection>?
  private let show: @Sendable (Frame) -> Void

  init(size: Size, show: @escaping @Sendable (Frame) -> Void) {
    picture = FeedPicture(size: size)
    self.show = show
  }

  /// The source holds its surface weakly, so the surface may hold its source.
  func connect(to source: DiffableDataSource<FeedSection>) {
    self.source = source
  }

  /// Requests the nodes of all rows with their heights, because this screen lays all of them out.
  nonisolated var nodePolicy: NodeDemand.Policy { .onDemand }

  func nodeDemand(for snapshot: DiffableSnapshot<FeedSection>) async -> NodeDemand {
    NodeDemand(paths: snapshot.paths, context: picture.context)
  }

  func reloadData(_ snapshot: DiffableSnapshot<FeedSection>) async {
    picture.reload(snapshot, nodes: NodeSet())
    draw()
  }

  func reloadData(_ snapshot: DiffableSnapshot<FeedSection>, nodes: NodeSet) async {
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

  /// The kind of row that was selected.
  enum Selected {
    /// An item, whose listener receives the event.
    case row
    case header(FeedSection.ID)
  }

  /// Selects the row under the cursor.
  func select() -> Selected? {
    if case .header(let section) = picture.cursor { return .header(section) }
    guard let source, let path = picture.cursorPath else { return nil }
    source.send(.didSelect, at: path, in: picture.snapshot)
    return .row
  }

  /// Drags the row under the cursor up or down, like a list that moves its rows itself, and tells the
  /// source where the row was dropped.
  ///
  /// - Returns: Whether the source accepted the move.
  func drag(by rows: Int) -> Bool {
    let before = picture
    guard let source, let move = picture.drag(by: rows) else { return false }
    let isTaken = source.reorder(from: move.from, to: move.to) != nil
    if !isTaken { picture = before }
    draw()
    return isTaken
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
