#if APPLE_STUBS
  import AsyncDiff
  import AsyncDiffUIKit
  import AsyncKnotTesting
  import Testing
  import UIKit

  /// Uses the screen of the article as a user does.
  @Suite @MainActor struct SearchScreenTests {
    private let view = UICollectionView(
      frame: .zero, collectionViewLayout: UICollectionViewLayout())
    private let window = UIView()
    private let library = Library()

    private var titles: [[String?]] {
      view.allCells.map { row in
        row.map { ($0.contentConfiguration as? UIListContentConfiguration)?.text }
      }
    }

    private func screen() async -> SearchScreen {
      view.window = window
      await library.add([("Lute", "a", 1), ("Harp", "a", 2), ("Drum", "b", 1)])
      return SearchScreen(view, library: library, pictures: Pictures())
    }

    private func untilShown(_ expected: [[String?]]) async {
      while titles != expected { await Task.yield() }
    }

    @Test("D30: the rows of the screen in the article SearchScreen can be dragged")
    func rowsCanBeDragged() async throws {
      let screen = await screen()
      await untilShown([["Lute", "Harp"], ["Drum"]])
      // The view shows a change before the data source completes it. Until then, a drop would be undone.
      while screen.list.source.snapshot.numberOfItems < 3 { await Task.yield() }
      try #require(view.takeByControl(IndexPath(item: 0, section: 0)))
      view.drop(at: IndexPath(item: 1, section: 1))
      await untilShown([["Harp"], ["Drum", "Lute"]])
      while library.knot.state[0]?.album != "b" { await Task.yield() }
    }

    @Test("The code in the article SearchScreen is the code that these tests use")
    func articleIsTested() throws {
      func lines(_ text: some StringProtocol) -> [Substring] {
        text.split(separator: "\n").map { Substring($0.trimmingCharacters(in: .whitespaces)) }
      }
      let tests = URL(filePath: #filePath).deletingLastPathComponent()
      let article = tests.appending(
        path: "../../Sources/AsyncDiffUIKit/AsyncDiffUIKit.docc/SearchScreen.md")
      let text = try String(contentsOf: article, encoding: .utf8)
      let samples = text.components(separatedBy: "```swift\n").dropFirst().map {
        $0.components(separatedBy: "```")[0]
      }
      let file = tests.appending(path: "SearchScreen.swift")
      let code = try String(contentsOf: file, encoding: .utf8)
      let tested = lines(code)
      #expect(samples.count == 3)
      for sample in samples { #expect(tested.contains(lines(sample))) }
    }
  }

  extension Library {
    fileprivate func add(_ tracks: [(title: String, album: String, place: Double)]) {
      reduce { table in
        table.upsert(
          tracks.enumerated().map { id, track in
            Track(id: id, title: track.title, album: track.album, place: track.place)
          })
      }
    }
  }
#endif
