import AsyncDiff
import Foundation

/// The process that follows: it takes in what comes, and says after each line what it has.
///
/// An empty line says that nothing has come for a while, or that the connection was lost.
struct Mirror {
  private let writer = LineWriter()

  func run() async {
    var mirror = SnapshotMirror<Column>()
    for await line in lines() {
      var since = mirror.revision
      if let message = try? JSONDecoder().decode(
        SnapshotMessage<Column>.self, from: Data(line.utf8))
      {
        do throws(MirrorError) {
          let outcome = try mirror.apply(message)
          since = mirror.revision
          writer.write("#has \(mirror.snapshot.digest) \(name(of: outcome))")
        } catch {
          since = error.revisionToAskSince
          writer.write("#refused \(name(of: error))")
        }
      }
      writer.write(since?.description ?? "-")
    }
  }

  private func name(of outcome: SnapshotMirror<Column>.Outcome) -> String {
    switch outcome {
    case .replaced: "replaced"
    case .updated: "updated"
    case .repeated: "repeated"
    }
  }

  private func name(of error: MirrorError) -> String {
    switch error {
    case .gap: "gap"
    case .otherEpoch: "epoch"
    case .nothingToPatch: "early"
    case .malformed: "malformed"
    }
  }
}
