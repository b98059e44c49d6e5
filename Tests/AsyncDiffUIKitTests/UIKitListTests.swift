#if APPLE_STUBS
  import AsyncDiff
  import AsyncDiffUIKit
  import AsyncKnotTesting
  import Testing
  import UIKit

  private final class SongCell: UICollectionViewCell { var song = Song(id: -1) }
  private final class AlbumHeader: UICollectionReusableView { var text = "" }
  private final class SongRow: UITableViewCell { var song = Song(id: -1) }
  private final class TableHeader: UITableViewHeaderFooterView { var text = "" }

  /// The lists of UIKit on stubs that carry batches out by UIKit's rules.
  @Suite @MainActor struct UIKitListTests {
    let window = UIView()

    @Test("D28: a collection view has what its list shows, cells and headers", arguments: 0..<2)
    func collectionViewHasWhatItsListShows(seed: Int) async throws {
      var random = SeededGenerator(seed: UInt64(seed))
      let view = UICollectionView(frame: .zero, collectionViewLayout: UICollectionViewLayout())
      (view.window, view.hasHeaders) = (window, true)
      let list = CollectionViewList<Album>(view) { (cell: SongCell, song) in cell.song = song }
      list.showHeaders { (header: AlbumHeader, text) in header.text = text }
      for _ in 0..<200 {
        let albums = random.albums()
        try await list.source.apply(albums, animatingDifferences: random.bool())
        let cells = view.allCells.map { $0.map { ($0 as? SongCell)?.song } }
        let headers = cells.indices.map { section in
          (view.supplementaryView(
            forElementKind: UICollectionView.elementKindSectionHeader,
            at: IndexPath(item: 0, section: section)) as? AlbumHeader)?.text
        }
        let isSame =
          cells == albums.sections.map(\.items) && headers == albums.sections.map(\.content)
        #expect(isSame)
      }
    }

    @Test("D28: a table has what its list shows, cells and headers", arguments: 0..<2)
    func tableHasWhatItsListShows(seed: Int) async throws {
      var random = SeededGenerator(seed: UInt64(seed))
      let view = UITableView(frame: .zero, style: .plain)
      view.window = window
      let list = TableViewList<Album>(view) { (cell: SongRow, song) in cell.song = song }
      list.showHeaders { (header: TableHeader, text) in header.text = text }
      list.rowAnimation = .fade
      for _ in 0..<200 {
        let albums = random.albums()
        try await list.source.apply(albums, animatingDifferences: random.bool())
        let cells = view.allCells.map { $0.map { ($0 as? SongRow)?.song } }
        let headers = cells.indices.map { (view.headerView(forSection: $0) as? TableHeader)?.text }
        let isSame =
          cells == albums.sections.map(\.items) && headers == albums.sections.map(\.content)
        #expect(isSame)
      }
      #expect(Set(view.animations) == [.fade])
    }

    @Test("D28: a list holds its view weakly; without a view nothing is waited for")
    func viewGoes() async throws {
      var view: UICollectionView? = UICollectionView(
        frame: .zero, collectionViewLayout: UICollectionViewLayout())
      var table: UITableView? = UITableView(frame: .zero, style: .plain)
      weak let oldView = view
      weak let oldTable = table
      let list = view.map {
        CollectionViewList<Album>($0) { (cell: SongCell, song) in cell.song = song }
      }
      let rows = table.map {
        TableViewList<Album>($0) { (cell: SongRow, song) in cell.song = song }
      }
      (view, table) = (nil, nil)
      #expect(oldView == nil && oldTable == nil)
      for list in [list, rows] {
        for step in 0..<2 { try await list?.source.apply(Albums(["a": [step]])) }
        #expect(list?.source.snapshot.ids == [[1]])
      }
    }

    @Test("D29: a change without animation is made where animations are off")
    func animationsAreOff() async throws {
      final class View: UICollectionView {
        var batches: [Bool] = []
        override func performBatchUpdates(
          _ updates: (() -> Void)?, completion: (@MainActor (Bool) -> Void)? = nil
        ) {
          batches.append(UIView.areAnimationsEnabled)
          super.performBatchUpdates(updates, completion: completion)
        }
      }
      let view = View(frame: .zero, collectionViewLayout: UICollectionViewLayout())
      view.window = window
      let list = CollectionViewList<Album>(view) { (cell: SongCell, song) in cell.song = song }
      for (step, animates) in [true, true, false].enumerated() {
        try await list.source.apply(Albums(["a": [step]]), animatingDifferences: animates)
      }
      #expect(view.batches == [true, false])
    }

    @Test("D30: the user drags rows of a collection view and of a table, if the list allows it")
    func userDragsRows() async throws {
      let view = UICollectionView(frame: .zero, collectionViewLayout: UICollectionViewLayout())
      let list = CollectionViewList<Album>(view) { (cell: SongCell, song) in cell.song = song }
      let table = UITableView(frame: .zero, style: .plain)
      let rows = TableViewList<Album>(table) { (cell: SongRow, song) in cell.song = song }
      let (from, to) = (IndexPath(item: 0, section: 0), IndexPath(item: 1, section: 1))
      for list in [list, rows] {
        try await list.source.apply(Albums(["a": [1, 2], "b": [3]]))
        for canMove in [false, true] {
          list.canMove = { _ in canMove }
          view.drag(from: from, to: to)
          table.drag(from: from, to: to)
          #expect(list.source.snapshot.ids == (canMove ? [[2], [3, 1]] : [[1, 2], [3]]))
        }
      }
    }

    @Test(
      "D30: a swipe deletes a row only where the list is told to, which shows the next snapshot")
    func swipeDeletes() async throws {
      let table = UITableView(frame: .zero, style: .plain)
      let list = TableViewList<Album>(table) { (cell: SongRow, song) in cell.song = song }
      try await list.source.apply(Albums(["a": [1, 2]]))
      let path = IndexPath(row: 1, section: 0)
      #expect(table.dataSource?.tableView(table, canEditRowAt: path) == false)
      var deleted: [Int] = []
      list.onDelete = { deleted.append($0.id) }
      #expect(table.dataSource?.tableView(table, canEditRowAt: path) == true)
      table.dataSource?.tableView(table, commit: .delete, forRowAt: path)
      #expect(deleted == [2])
      #expect(table.allCells[0].count == 2)
    }

    @Test("D31: a collection view and a table tell which rows come into sight")
    func viewsPrefetch() async throws {
      let view = UICollectionView(frame: .zero, collectionViewLayout: UICollectionViewLayout())
      let list = CollectionViewList<Album>(view) { (cell: SongCell, song) in cell.song = song }
      let table = UITableView(frame: .zero, style: .plain)
      let rows = TableViewList<Album>(table) { (cell: SongRow, song) in cell.song = song }
      var told: [Int] = []
      for list in [list, rows] {
        try await list.source.apply(Albums(["a": [1, 2]]))
        list.onPrefetch = { told += $0.map(\.id) }
      }
      let paths = [IndexPath(item: 1, section: 0)]
      view.prefetchDataSource?.collectionView(view, prefetchItemsAt: paths)
      table.prefetchDataSource?.tableView(table, prefetchRowsAt: paths)
      #expect(told == [2, 2])
    }
  }
#endif
