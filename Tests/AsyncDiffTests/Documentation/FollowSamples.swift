import AsyncDiff
import Foundation

/// A connection to a follower, as a server has one.
protocol Connection {
  func send(_ data: Data, id: String) async throws
  func acknowledgment(of revision: SnapshotRevision) async throws
}

func serve(
  _ source: DiffableDataSource<Day>, on connection: some Connection, lastEventID: String
) async throws {
  let encoder = JSONEncoder()
  let known = SnapshotRevision(lastEventID)  // nil for a text that is none: then it has nothing
  for await message in source.patches(since: known) {
    try await connection.send(encoder.encode(message), id: message.revision.description)
    try await connection.acknowledgment(of: message.revision)
  }
}

func mirror(
  _ lines: some AsyncSequence<Data, any Error>, on surface: some CollectionSurface<Day>,
  ask: (SnapshotRevision?) async throws -> Void
) async throws {
  var mirror = SnapshotMirror<Day>()
  for try await line in lines {
    let message = try JSONDecoder().decode(SnapshotMessage<Day>.self, from: line)
    do throws(MirrorError) {
      switch try mirror.apply(message) {
      case .replaced: try? await surface.reloadData(mirror.snapshot)
      case .updated(let batches):
        for batch in batches { try? await surface.performBatchUpdates(batch, animated: true) }
      case .repeated: break
      }
    } catch {
      print(error)  // a patch from 7-5, but 7-3 is here: something is missing
      try await ask(error.revisionToAskSince)
    }
  }
}

func export(from shown: Days, to received: Days) throws -> Data {
  let stages = shown.batches(to: received)
  return try JSONEncoder().encode(JSONPatch(stages))
}

/// The newest list of a service, without a surface.
actor Newsroom: StateSource {
  nonisolated let knot = Knot(DiffableSnapshot<Day>())
}
