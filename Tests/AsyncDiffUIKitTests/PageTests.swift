import AsyncDiff
import AsyncDiffUIKit
import AsyncKnot
import AsyncKnotTesting
import TestSupport
import Testing

private typealias Songs = LiveSection<Int, Song, NoContent>

private actor SongTable: StateActor {
  let knot = Knot(LiveTable<Song>())
  func rename(_ ids: [Int], _ title: String) {
    reduce { $0.upsert(ids.map { Song(id: $0, title: title) }) }
  }
  func add(_ ids: Range<Int>) { reduce { $0.upsert(ids.map { Song(id: $0) }) } }
}

/// A view without rows, which calls the closure of a batch but carries out no operation.
///
/// The tests ask the list for rows, as a real view does.
@MainActor private final class ScrolledView: ListView {
  /// Called after each stage of a change.
  var onStage = {}
  var visibleRows: [ItemPath] = []
  let isInWindow = true
  let isHeld = false
  let selection: [ItemPath] = []
  func select(_ paths: [ItemPath]) {}
  func reload() {}
  func animate(_ isOn: Bool, _ change: () -> Void) { change() }
  func perform(_ batch: @escaping () -> Void, completion: @escaping @MainActor () -> Void) {
    batch()
    onStage()
    completion()
  }
  func deleteSections(_ sections: [Int]) {}
  func insertSections(_ sections: [Int]) {}
  func moveSection(from: Int, to: Int) {}
  func deleteRows(_ paths: [ItemPath]) {}
  func insertRows(_ paths: [ItemPath]) {}
  func moveRow(from: ItemPath, to: ItemPath) {}
  func updateRows(_ paths: [ItemPath]) {}
  func replaceRows(_ paths: [ItemPath]) {}
  func updateSections(_ sections: [Int]) {}
}

@Suite @MainActor struct PageTests {
  private let library = SongTable()
  private let query = LiveQuery(of: Song.self)
  private let view = ScrolledView()
  private let list: ListSurface<Songs>

  init() { list = ListSurface(view) { DiffableDataSource(surface: $0) } }

  /// Shows the live list's next state and returns its number of rows.
  private func rows(
    _ states: inout StateSequence<DiffableSnapshot<Songs>>.AsyncIterator
  ) async throws -> Int {
    guard let snapshot = await states.next() else { return -1 }
    try await list.source.apply(snapshot)
    return list.shown.numberOfItems(in: 0)
  }

  /// Adds songs to the library, and shows all songs page by page.
  ///
  /// The first state of the live list has no rows.
  private func show(_ ids: Range<Int>, page: Int) async -> LiveList<Song, Songs> {
    await library.add(ids)
    let live = LiveList(query.window(0..<0), of: library)
    list.show(query, of: live, page: page)
    return live
  }

  /// Shows up to twenty later states, and returns whether one of them has `count` rows.
  ///
  /// Each renaming causes a state, even if the window does not grow.
  private func grows(
    to count: Int, _ states: inout StateSequence<DiffableSnapshot<Songs>>.AsyncIterator
  ) async throws -> Bool {
    for number in 1...20 {
      await library.rename([0], "\(number)")
      if try await rows(&states) == count { return true }
    }
    return false
  }

  private func see(_ ranks: Range<Int>) {
    view.visibleRows = ranks.map { ItemPath(section: 0, item: $0) }
  }

  private func look(at rank: Int) { _ = list.itemToShow(at: ItemPath(section: 0, item: rank)) }

  @Test(
    "D31: a request for a row in the last half page grows the window by a page, and a new query restarts the window"
  )
  func windowGrows() async throws {
    let live = await show(0..<1_000, page: 10)
    var states = live.states.makeAsyncIterator()
    #expect(try await rows(&states) == 0)
    #expect(try await rows(&states) == 10)
    look(at: 4)
    list.show(query.filter { $0.id >= 100 }, of: live, page: 10)
    #expect(try await rows(&states) == 10)
    look(at: 5)
    look(at: 6)
    #expect(try await rows(&states) == 20)
    list.prefetch([ItemPath(section: 0, item: 15)])
    #expect(try await rows(&states) == 30)
    list.show(query, of: live, page: 10)
    // The shown rows are still those of the previous query.
    look(at: 29)
    #expect(try await rows(&states) == 10)
    #expect(list.item(at: ItemPath(section: 0, item: 0))?.id == 0)
  }

  @Test(
    "D31: late requests for rows of an older query do not grow the window"
  )
  func rowsOfTheQueryBefore() async throws {
    let live = await show(0..<1_000, page: 10)
    var states = live.states.makeAsyncIterator()
    #expect(try await rows(&states) == 0)
    #expect(try await rows(&states) == 10)
    list.show(query.filter { $0.id >= 100 }, of: live, page: 10)
    // The view still has the ten rows of the old query, and asks for the last one.
    list.prefetch([ItemPath(section: 0, item: 9)])
    look(at: 9)
    try #require(try await rows(&states) == 10)
    #expect(list.item(at: ItemPath(section: 0, item: 0))?.id == 100)
    look(at: 9)
    #expect(try await rows(&states) == 20)
    // After a drag, the list still knows that the rows belong to the current query.
    list.move(from: ItemPath(section: 0, item: 0), to: ItemPath(section: 0, item: 3))
    look(at: 15)
    #expect(try await rows(&states) == 30)
  }

  @Test("D31: the window grows after a query that shows the same first page")
  func sameFirstPage() async throws {
    let live = await show(0..<1_000, page: 10)
    var states = live.states.makeAsyncIterator()
    _ = try await rows(&states)
    #expect(try await rows(&states) == 10)
    for hidden in [500, 600] {
      list.show(query.filter { $0.id != hidden }, of: live, page: 10)
      #expect(try await rows(&states) == 10)
      look(at: 9)
      #expect(try await rows(&states) == 20)
      list.show(query, of: live, page: 10)
      #expect(try await rows(&states) == 10)
    }
  }

  @Test("D31: the window grows if the view asks for the last row between two stages of a change")
  func betweenStages() async throws {
    let live = await show(0..<5, page: 10)
    var states = live.states.makeAsyncIterator()
    _ = try await rows(&states)
    list.show(query.sections { $0.title.count }, of: live, page: 10)
    #expect(try await rows(&states) == 5)
    // The first stage inserts the section of the named rows, and the second stage moves row 0 into it.
    var stages: [Int] = []
    view.onStage = { [list] in
      stages.append(list.shown.numberOfItems(in: 1))
      if stages == [9] { _ = list.itemToShow(at: ItemPath(section: 1, item: 8)) }
    }
    await library.rename([0] + Array(100..<130), "x")
    _ = try await rows(&states)
    #expect(stages == [9, 10])
    // The renaming causes another state, whether or not the window grows.
    await library.rename([1], "y")
    _ = try await rows(&states)
    #expect(list.shown.numberOfItems(in: 1) == 20)
  }

  @Test("D31: the window grows if rows on the screen move into the last half page")
  func rowsMove() async throws {
    let live = await show(0..<4, page: 10)
    var states = live.states.makeAsyncIterator()
    _ = try await rows(&states)
    #expect(try await rows(&states) == 4)
    see(0..<8)
    // The view already shows these rows, so it requests none of them again.
    await library.add(4..<12)
    #expect(try await rows(&states) == 10)
    #expect(try await grows(to: 12, &states))
  }

  @Test(
    "D31: the window grows after a query that shows the same rows, even if the view requests no row"
  )
  func sameRows() async throws {
    let live = await show(0..<1_000, page: 10)
    var states = live.states.makeAsyncIterator()
    _ = try await rows(&states)
    #expect(try await rows(&states) == 10)
    see(0..<10)
    list.show(query.filter { $0.id != 500 }, of: live, page: 10)
    #expect(try await rows(&states) == 10)
    #expect(try await rows(&states) == 20)
  }

  @Test("D31: a query that is replaced before it is shown does not keep its live list alive")
  func replacedQuery() async {
    weak var replaced: LiveList<Song, Songs>?
    do {
      let live = await show(0..<9, page: 10)
      for hidden in [0, 1] { list.show(query.filter { $0.id != hidden }, of: live, page: 10) }
      replaced = live
    }
    list.show(query, of: LiveList(query, of: library), page: 10)
    await waitWhile(replaced != nil)
  }

  @Test("D31: a window grows by pages of any size", arguments: [1, 2, 3, 7])
  func pagesOfAnySize(page: Int) async throws {
    let live = await show(0..<100, page: page)
    var states = live.states.makeAsyncIterator()
    _ = try await rows(&states)
    for number in 1...5 {
      try #require(try await rows(&states) == number * page)
      for rank in 0..<(number * page) { look(at: rank) }
      // The renaming causes another state, whether or not the window grows.
      await library.rename([0], "\(number)")
    }
  }

  @Test(
    "D31: a window that shows all rows does not grow, so later rows only fill its page"
  )
  func windowStays() async throws {
    let live = await show(0..<9, page: 10)
    var states = live.states.makeAsyncIterator()
    _ = try await rows(&states)
    #expect(try await rows(&states) == 9)
    for rank in 0..<9 { look(at: rank) }
    await library.add(9..<30)
    #expect(try await rows(&states) == 10)
  }

  #if os(macOS) || os(Linux)
    @Test("D31: showing a query with a page size of zero traps with a message that names the size")
    func emptyPage() async {
      let result = await #expect(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) {
        await MainActor.run {
          let (list, query) = (PageTests().list, LiveQuery(of: Song.self))
          list.show(query, of: LiveList(query, of: SongTable()), page: 0)
        }
      }
      #expect(result.says("needs a page of at least 1 row; got 0"))
    }
  #endif
}
