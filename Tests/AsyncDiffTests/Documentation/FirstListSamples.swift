import AsyncDiff
import Foundation
import Synchronization
import Testing

private let printed = Mutex<[String]>([])

private func print(_ value: some Any) { printed.withLock { $0.append("\(value)") } }

/// The program of the article "Your first list".
private enum FirstList {
  struct Note: Nodable {
    let id: Int
    var text: String
    var diffIdentifier: Int { id }

    // For surfaces that want a view of each row, built in advance. Ours does not.
    func nodeBlock(with channel: NodeEventChannel, at path: ItemPath) -> NodeBlock { { NoNode() } }
  }

  struct NoNode: CellNode {}

  struct Notebook: SectionInflator {
    let name: String
    var items: [Note]
    var diffIdentifier: String { name }
    var content: String { "\(name), \(items.count) notes" }  // the header
  }

  actor Screen: CollectionSurface {
    nonisolated var nodePolicy: NodePolicy { .none }

    func reloadData(_ snapshot: DiffableSnapshot<Notebook>) { draw(snapshot) }

    func performBatchUpdates(_ batch: BatchUpdates<Notebook>, animated: Bool) {
      print(batch)
      draw(batch.snapshot)
    }

    private func draw(_ snapshot: DiffableSnapshot<Notebook>) {
      for section in snapshot.sections {
        print(section.content)
        for note in section.items { print("  \(note.text)") }
      }
    }
  }

  static func run() async throws {
    let screen = Screen()
    let source = DiffableDataSource(surface: screen)
    var home = Notebook(
      name: "Home", items: [Note(id: 1, text: "Tea"), Note(id: 2, text: "Bread")])
    try await source.apply(DiffableSnapshot(sections: [home]))

    home.items = [
      Note(id: 2, text: "Rye bread"), Note(id: 3, text: "Milk"), Note(id: 1, text: "Tea"),
    ]
    print(try await source.apply(DiffableSnapshot(sections: [home])))
    withExtendedLifetime(screen) {}
  }
}

@Suite struct FirstListTests {
  @Test("D7, D13: the article's first list prints what the article shows")
  func output() async throws {
    try await FirstList.run()
    let article = URL(fileURLWithPath: #filePath)
      .appending(path: "../../../../Sources/AsyncDiff/AsyncDiff.docc/FirstList.md").standardized
    let text = try String(contentsOf: article, encoding: .utf8)
    let output = printed.withLock { $0.joined(separator: "\n") }
    let isShown = text.contains("```\n\(output)\n```")
    #expect(isShown, "printed:\n\(output)")
  }
}
