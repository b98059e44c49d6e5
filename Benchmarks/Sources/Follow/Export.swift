import AsyncDiff
import Foundation

/// Exports each change in two JSON forms, as the new snapshot and as a message.
enum Export {
  private struct Change: Encodable {
    let after: Board
    let message: SnapshotMessage<Column>
  }

  /// Writes a line for the first snapshot, and a line for each of `count` changes with 1 to 12 edits.
  static func run(seed: UInt64, count: Int) throws {
    let writer = LineWriter()
    var editor = Editor(seed: seed)
    var mirror = SnapshotMirror<Column>()
    let first = SnapshotMessage.snapshot(editor.board, SnapshotRevision(epoch: seed, number: 0))
    try mirror.apply(first)
    try writer.write(Change(after: editor.board, message: first))
    for number in 1...UInt64(count) {
      for _ in 0...editor.index(below: 12) { editor.edit() }
      let stages = mirror.snapshot.batches(to: editor.board)
      let message = SnapshotMessage.patch(
        SnapshotPatch(
          from: SnapshotRevision(epoch: seed, number: number - 1), to: number,
          stages: stages.map { SnapshotPatch.Stage($0) }))
      try mirror.apply(message)
      try writer.write(Change(after: editor.board, message: message))
    }
  }
}
