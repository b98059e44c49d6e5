import AsyncDiff
import TerminalUI

/// Draws the feed on a terminal and sends the user's events to the data source.
actor FeedSurface: CollectionSurface {
  private var picture: FeedPicture
  private var source: DiffableDataSource<FeedSection>?
  private let show: @Sendable (Frame) -> Void

  init(size: Size, show: @escaping @Sendable (Frame) -> Void) {
    picture = FeedPicture(size: size)
    self.show = show
  }

  /// Connects the surface to its source.
  ///
  /// The surface can hold the source strongly, because the source holds the surface weakly.
  func connect(to source: DiffableDataSource<FeedSection>) {
    self.source = source
  }

  /// Requests nodes and heights for all rows, because this surface lays out all rows.
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

  /// The kind of a selected row.
  enum Selected {
    /// An item, whose subscribers receive an event.
    case row
    case header(FeedSection.ID)
  }

  /// Selects the row under the cursor, and sends an event if the row is an item.
  func select() -> Selected? {
    if case .header(let section) = picture.cursor { return .header(section) }
    guard let source, let path = picture.cursorPath else { return nil }
    source.send(.didSelect, at: path, in: picture.snapshot)
    return .row
  }

  /// Drags the row under the cursor up or down, like a view that moves its rows itself, and reports the new position to the
  /// source.
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

  /// Votes in the poll under the cursor, by sending the event that a button in the poll's node would send.
  ///
  /// - Returns: Whether the cursor is on a poll.
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
