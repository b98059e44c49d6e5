import AsyncDiff

/// The process that has the list: each request lets it go on with its edits, and is answered by one message.
struct Source {
  private let seed: UInt64
  private let edits: Int
  private let writer = LineWriter()

  init(seed: UInt64, edits: Int) {
    self.seed = seed
    self.edits = edits
  }

  func run() async {
    let surface = Surface()
    let source = DiffableDataSource(surface: surface)
    let follower = Follower(source, writer)
    let (credit, spend) = AsyncStream.makeStream(of: Int.self)
    let editing = Task { await edit(source, credit) }
    var editor = Editor(seed: seed &+ 1)
    var answer: Task<Void, Never>?
    for await line in lines() {
      answer?.cancel()
      await answer?.value
      // Sometimes the follower misses a great many.
      spend.yield(editor.index(below: 400) == 0 ? 3_000 : editor.index(below: 20))
      answer = Task { await follower.answer(since: SnapshotRevision(line)) }
    }
    answer?.cancel()
    spend.finish()
    await editing.value
    withExtendedLifetime(surface) {}
  }

  /// Makes as many edits as there were requests for, and tells who stands between what is shown after each.
  private func edit(_ source: DiffableDataSource<Column>, _ credit: AsyncStream<Int>) async {
    var editor = Editor(seed: seed)
    var left = edits
    for await wanted in credit {
      for _ in 0..<min(wanted, left) {
        editor.edit()
        _ = try? await source.apply(editor.board)
        writer.write("#shown \(source.snapshot.digest)")
      }
      guard left > 0 else { continue }
      left -= min(wanted, left)
      if left == 0 { writer.write("#done \(source.snapshot.digest)") }
    }
  }
}

/// Answers requests, one at a time.
private actor Follower {
  private let source: DiffableDataSource<Column>
  private let writer: LineWriter
  private var messages: SnapshotPatches<Column>.AsyncIterator?
  private var given: SnapshotRevision?

  init(_ source: DiffableDataSource<Column>, _ writer: LineWriter) {
    self.source = source
    self.writer = writer
  }

  /// Gives what leads from a snapshot to what is shown; goes on with the same observer if that is what it was
  /// given last.
  func answer(since revision: SnapshotRevision?) async {
    let known = revision == given ? messages : nil
    var messages = known ?? source.patches(since: revision, history: 8).makeAsyncIterator()
    guard let message = await messages.next(isolation: self), !Task.isCancelled else {
      self.messages = nil
      return
    }
    self.messages = messages
    given = message.revision
    try? writer.write(message)
  }
}

/// A surface that shows nothing.
private actor Surface: CollectionSurface {
  nonisolated var nodePolicy: NodePolicy { .none }
  func reloadData(_ snapshot: Board) async {}
  func performBatchUpdates(_ batch: BatchUpdates<Column>, animated: Bool) async {}
}
