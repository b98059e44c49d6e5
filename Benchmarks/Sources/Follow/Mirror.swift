import AsyncDiff
import Foundation

/// The process that follows the list.
///
/// The process applies each message, and prints the revision of its snapshot after each line. An empty line means that no message
/// has arrived for a while, or that the connection was lost.
struct Mirror {
  private let writer = LineWriter()

  func run() async {
    var mirror = SnapshotMirror<Column>()
    for await line in lines() {
      if let message = SnapshotMessage<Column>(line) {
        do throws(MirrorError) {
          let outcome = try mirror.apply(message)
          writer.write("#has \(mirror.snapshot.digest) \(name(of: outcome))")
        } catch {
          writer.write("#refused \(name(of: error))")
        }
      }
      writer.write(mirror.revision?.description ?? "-")
    }
  }
}

extension SnapshotMessage<Column> {
  /// Decodes a message from a line; `nil` if the line is a request or is damaged.
  init?(_ line: some StringProtocol) {
    guard let message = try? JSONDecoder().decode(Self.self, from: Data(line.utf8)) else {
      return nil
    }
    self = message
  }
}

func name(of outcome: SnapshotMirror<Column>.Outcome) -> String {
  switch outcome {
  case .replaced: "replaced"
  case .updated: "updated"
  case .repeated: "repeated"
  }
}

func name(of error: MirrorError) -> String {
  switch error {
  case .gap(nil, _): "early"
  case .gap: "gap"
  case .otherEpoch: "epoch"
  case .malformed: "malformed"
  }
}
