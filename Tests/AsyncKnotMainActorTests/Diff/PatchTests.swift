import AsyncDiff
import Foundation
import Testing

// A followed list in a target that is main-actor by default.

nonisolated struct Line: Diffable, Equatable, Codable {
  let number: Int
  var text: String

  var diffIdentifier: Int { number }
}

nonisolated struct Poem: SectionInflator {
  let title: String
  let items: [Line]

  var diffIdentifier: String { title }
}

@Suite struct PatchTests {
  @Test("D21: a follower on the main actor stays there, and encodes the messages it receives")
  func follow() async throws {
    let surface = PoemList()
    let source = DiffableDataSource(surface: surface)
    var mirror = SnapshotMirror<Poem>()
    var messages = source.patches().makeAsyncIterator()
    for count in 1...3 {
      let lines = (0..<count).map { Line(number: $0, text: "line \($0)") }
      try await source.apply(DiffableSnapshot(sections: [Poem(title: "poem", items: lines)]))
      let message = try #require(await messages.next())
      MainActor.assertIsolated()
      let data = try JSONEncoder().encode(message)
      try mirror.apply(JSONDecoder().decode(SnapshotMessage<Poem>.self, from: data))
      #expect(mirror.snapshot == source.snapshot)
    }
  }
}

@MainActor final class PoemList: CollectionSurface {
  func reloadData(_ snapshot: DiffableSnapshot<Poem>) async {}
  func performBatchUpdates(_ batch: BatchUpdates<Poem>, animated: Bool) async {}
}
