import AsyncDiff
import AsyncKnotTesting

private struct Song: Diffable, Equatable, Sendable {
  let diffIdentifier: Int
  var plays: Int, title: String
}

private actor Library: StateActor {
  let knot = Knot(LiveTable<Song>())
}

/// A list of the songs that match a search, the most played first; it follows the library, and
/// the text that is typed.
private struct SongSearch {
  private static let all = LiveQuery(of: Song.self).sorted(by: \.plays, .descending)
  let list: LiveList<Song, LiveSection<Int, Song, NoContent>>

  init(in library: Library) { list = LiveList(Self.all, of: library) }

  // The text is a part of the query. A condition that read it from outside would not be asked
  // again.
  func type(_ text: String) { list.show(Self.all.filter { $0.title.contains(text) }) }
}

@Test func theListIsTheLibraryFilteredAndSorted() async {
  await explore(seeds: 300) {
    let library = Library()
    let search = SongSearch(in: library)
    async let played: Void = {
      for (play, id) in [2, 1, 0, 3, 0, 1].enumerated() {
        let title = id.isMultiple(of: 2) ? "tea" : "milk"
        await library.reduce { $0.upsert(Song(diffIdentifier: id, plays: play, title: title)) }
      }
    }()
    async let typed: Void = {
      for text in ["m", "mi", "te"] {
        search.type(text)
        await Task.yield()
      }
    }()
    let wanted = [0, 2]  // played last at 4 and 0
    for await snapshot in search.list.states {
      let shown = snapshot.sections.flatMap(\.items).map(\.diffIdentifier)
      // If the list never comes there, the exploration stalls, and the report says who waits.
      if shown == wanted { break }
    }
    _ = await (played, typed)
  }
}
