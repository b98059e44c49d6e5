import AsyncDiff

/// The process that owns the list.
///
/// A request consists of the follower's name and revision. Most requests cause more edits. Each request is answered with one
/// message, unless the follower sends its next request first.
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
    let followers = Followers(writer) { source.patches(since: $0, history: 8) }
    let (credit, spend) = AsyncStream.makeStream(of: Int.self)
    let editing = Task { await edit(source, credit) }
    var editor = Editor(seed: seed &+ 1)
    for await line in lines() {
      // Sometimes the follower misses many edits.
      spend.yield(editor.index(below: 400) == 0 ? 3_000 : editor.index(below: 20))
      await followers.answer(line)
    }
    await followers.end()
    spend.finish()
    await editing.value
    withExtendedLifetime(surface) {}
  }

  /// Makes as many edits as each element of `credit` allows, and reports the shown list after each edit.
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

/// A surface that draws nothing.
private actor Surface: CollectionSurface {
  func reloadData(_ snapshot: Board) async {}
  func performBatchUpdates(_ batch: BatchUpdates<Column>, animated: Bool) async {}
}
