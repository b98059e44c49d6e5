import AsyncDiff
import AsyncKnotTesting

private struct Song: Diffable, Equatable, Sendable {
  let diffIdentifier: Int
  var plays: Int, title: String
}

private actor Library: StateActor {
  let knot = Knot(LiveTable<Song>())
}

/// A list of the songs that match a search, with the most played songs first.
///
/// The list follows changes of the library and of the search text.
private struct SongSearch {
  private static let all = LiveQuery(of: Song.self).sorted(by: \.plays, descending: true)
  let list: LiveList<Song, LiveSection<Int, Song, NoContent>>

  init(in library: Library) { list = LiveList(Self.all, of: library) }

  // The text is part of the query. If the condition read a variable outside the query, the list would not notice changes of the
  // variable.
  func type(_ text: String) { list.show(Self.all.filter { $0.title.contains(text) }) }
}

@Test func listIsFilteredAndSorted() async {
  await explore(seeds: 300) {
    let library = Library()
    let search = SongSearch(in: library)
    async let played: Void = {
      for (id, plays) in [(0, 1), (2, 5), (1, 8), (4, 9), (3, 6), (0, 7)] {
        let title = id.isMultiple(of: 2) ? "black tea" : "oat milk"
        await library.reduce { $0.upsert(Song(diffIdentifier: id, plays: plays, title: title)) }
      }
    }()
    async let typed: Void = {
      for text in ["m", "mi", "te"] {
        search.type(text)
        await Task.yield()
      }
    }()
    let wanted = [4, 0, 2]  // the songs with "te" in their title, with the most played one first
    for await snapshot in search.list.states {
      let shown = snapshot.sections.flatMap(\.items).map(\.diffIdentifier)
      // If the list never shows the wanted songs, the exploration stalls, and the report names the waiting task.
      if shown == wanted { break }
    }
    _ = await (played, typed)
  }
}
