#if APPLE_STUBS
  import AsyncDiff
  import AsyncDiffUIKit
  import AsyncKnotTesting
  import Testing
  import UIKit

  private final class SongCell: UICollectionViewCell { var song = Song(id: -1) }
  private final class WideCell: UICollectionViewCell { var song = Song(id: -1) }
  private final class AlbumHeader: UICollectionReusableView {
    var text = ""
    override func sizeThatFits(_ size: CGSize) -> CGSize { CGSize(width: 0, height: text.count) }
  }
  private final class SongRow: UITableViewCell { var song = Song(id: -1) }
  private final class WideRow: UITableViewCell { var song = Song(id: -1) }
  private final class TableHeader: UITableViewHeaderFooterView {
    var text = ""
    override func sizeThatFits(_ size: CGSize) -> CGSize { CGSize(width: 0, height: text.count) }
  }

  /// The lists of UIKit, on stubs that carry out batches by UIKit's rules.
  @Suite @MainActor struct UIKitListTests {
    let window = UIView()

    @Test("D28: a collection view shows the cells and headers of its list", arguments: 0..<2)
    func collectionViewHasWhatItsListShows(seed: Int) async throws {
      var random = SeededGenerator(seed: UInt64(seed))
      let view = UICollectionView(frame: .zero, collectionViewLayout: UICollectionViewLayout())
      (view.window, view.kinds) = (window, [UICollectionView.elementKindSectionHeader])
      let list = CollectionViewList<Record>(view) { (cell: SongCell, song) in cell.song = song }
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

    @Test("D28: a table shows the cells and headers of its list", arguments: 0..<2)
    func tableHasWhatItsListShows(seed: Int) async throws {
      var random = SeededGenerator(seed: UInt64(seed))
      let view = UITableView(frame: .zero, style: .plain)
      view.window = window
      let list = TableViewList<Record>(view) { (cell: SongRow, song) in cell.song = song }
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

    @Test(
      "D28: a list that takes over a view removes the rows of the other list, which then leaves the view alone",
      arguments: [false, true])
    func viewIsTakenOver(isTable: Bool) async throws {
      let view = UICollectionView(frame: .zero, collectionViewLayout: UICollectionViewLayout())
      let table = UITableView(frame: .zero, style: .plain)
      (view.window, table.window) = (window, window)
      func makeList() -> ListSurface<Record> {
        isTable
          ? TableViewList<Record>(table) { (cell: SongRow, song) in cell.song = song }
          : CollectionViewList<Record>(view) { (cell: SongCell, song) in cell.song = song }
      }
      func albums(_ ids: Range<Int>) -> Albums { Albums(["a": Array(ids)]) }
      let old = makeList()
      try await old.source.apply(albums(0..<3))
      var cells: [[Int?]] {
        isTable
          ? table.allCells.map { $0.map { ($0 as? SongRow)?.song.id } }
          : view.allCells.map { $0.map { ($0 as? SongCell)?.song.id } }
      }
      #expect(cells == [[0, 1, 2]])
      let new = makeList()
      #expect(cells == [])
      try await new.source.apply(albums(10..<12))
      for ids in [0..<5, 2..<4] { try await old.source.apply(albums(ids)) }
      try await new.source.apply(albums(9..<12))
      #expect(cells == [[9, 10, 11]])
    }

    @Test(
      "D28, D30: a list that takes over a table shows its headers, and decides which rows are editable"
    )
    func tableIsTakenOver() async throws {
      let table = UITableView(frame: .zero, style: .plain)
      table.window = window
      let old = TableViewList<Record>(table) { (cell: SongRow, song) in cell.song = song }
      try await old.source.apply(Albums(["a": [1]]))
      let new = TableViewList<Record>(table) { (cell: SongRow, song) in cell.song = song }
      new.showHeaders { (header: TableHeader, text) in header.text = text }
      new.onDelete = { _ in }
      let album = Record(name: "a", header: "new", items: [Song(id: 2)])
      try await new.source.apply(Albums(sections: [album]))
      _ = table.allCells
      #expect((table.headerView(forSection: 0) as? TableHeader)?.text == album.content)
      #expect(table.editingStyle(at: IndexPath(row: 0, section: 0)) == .delete)
      new.onDelete = nil
      for canEdit in [false, true] {
        new.canEdit = { _ in canEdit }
        let isEditable = table.dataSource?.tableView(
          table, canEditRowAt: IndexPath(row: 0, section: 0))
        #expect(isEditable == canEdit)
      }
      withExtendedLifetime(old) {}
    }

    @Test("D28: only a row whose cell class changes gets a new cell")
    func rowGetsAnotherClass() async throws {
      let view = UICollectionView(frame: .zero, collectionViewLayout: UICollectionViewLayout())
      let table = UITableView(frame: .zero, style: .plain)
      (view.window, table.window) = (window, window)
      let plain = CollectionViewList<Record>.Cell { (cell: SongCell, song) in cell.song = song }
      let wide = CollectionViewList<Record>.Cell { (cell: WideCell, song) in cell.song = song }
      let list = CollectionViewList<Record>(view) { $0.title == "wide" ? wide : plain }
      let plainRow = TableViewList<Record>.Cell { (cell: SongRow, song) in cell.song = song }
      let wideRow = TableViewList<Record>.Cell { (cell: WideRow, song) in cell.song = song }
      let rows = TableViewList<Record>(table) { $0.title == "wide" ? wideRow : plainRow }
      for list in [list, rows] { try await list.source.apply(Albums(["a": [1, 2, 3]])) }
      let (cells, tableCells) = (view.allCells[0], table.allCells[0])
      let songs = [Song(id: 2, title: "wide"), Song(id: 1, title: "new"), Song(id: 3)]
      for list in [list, rows] {
        try await list.source.apply(Albums(sections: [Record(name: "a", items: songs)]))
      }
      #expect((view.allCells[0][0] as? WideCell)?.song == songs[0])
      #expect(view.allCells[0][1] === cells[0] && (cells[0] as? SongCell)?.song == songs[1])
      #expect(view.allCells[0][2] === cells[2])
      #expect((table.allCells[0][0] as? WideRow)?.song == songs[0])
      #expect(table.allCells[0][1] === tableCells[0])
      #expect((tableCells[0] as? SongRow)?.song == songs[1])
    }

    @Test(
      "D28: a header that grows gets its new size, even in a section that moves",
      arguments: [true, false])
    func headerGrows(animates: Bool) async throws {
      let header = UICollectionView.elementKindSectionHeader
      for layout in [UICollectionViewLayout(), UICollectionViewFlowLayout()] {
        let view = UICollectionView(frame: .zero, collectionViewLayout: layout)
        let table = UITableView(frame: .zero, style: .plain)
        (view.window, table.window, view.kinds) = (window, window, [header])
        let list = CollectionViewList<Record>(view) { (cell: SongCell, song) in cell.song = song }
        list.showHeaders { (header: AlbumHeader, text) in header.text = text }
        let rows = TableViewList<Record>(table) { (cell: SongRow, song) in cell.song = song }
        rows.showHeaders { (header: TableHeader, text) in header.text = text }
        func show(_ albums: [(String, String)]) async throws {
          for list in [list, rows] {
            let sections = albums.map { Record(name: $0, header: $1, items: [Song(id: $0.hash)]) }
            try await list.source.apply(Albums(sections: sections), animatingDifferences: animates)
          }
        }
        try await show([("a", "A"), ("b", "B")])
        _ = (view.allCells, table.allCells)
        try await show([("c", "C"), ("b", "two\nlines"), ("a", "A")])
        let path = IndexPath(item: 0, section: 1)
        #expect(view.supplementaryView(forElementKind: header, at: path)?.frame.height == 9)
        #expect(table.headerView(forSection: 1)?.frame.height == 9)
      }
    }

    @Test("D28: footers and views of other kinds are shown and updated")
    func otherKinds() async throws {
      let view = UICollectionView(frame: .zero, collectionViewLayout: UICollectionViewLayout())
      let table = UITableView(frame: .zero, style: .plain)
      (view.window, table.window) = (window, window)
      let footer = UICollectionView.elementKindSectionFooter
      view.kinds = [footer, "background", "badge"]
      let list = CollectionViewList<Record>(view) { (cell: SongCell, song) in cell.song = song }
      list.showFooters { (footer: AlbumHeader, text) in footer.text = text }
      list.showViews(ofKind: "background") { (view: AlbumHeader, text) in view.text = text + "!" }
      list.supplementaryViewProvider = { _, kind, path in
        let badge = AlbumHeader(frame: .zero)
        badge.text = "\(kind) \(path)"
        return badge
      }
      let rows = TableViewList<Record>(table) { (cell: SongRow, song) in cell.song = song }
      rows.showFooters { (footer: TableHeader, text) in footer.text = text }
      let path = IndexPath(item: 0, section: 0)
      for text in ["old", "newer"] {
        let albums = Albums(sections: [Record(name: "a", header: text, items: [])])
        for list in [list, rows] { try await list.source.apply(albums) }
        _ = (view.allCells, table.allCells)
        let views = view.kinds.map {
          view.supplementaryView(forElementKind: $0, at: path) as? AlbumHeader
        }
        #expect(views.map { $0?.text } == [text, "\(text)!", "badge [0, 0]"])
        #expect(views[0]?.frame.height == CGFloat(text.count))
        #expect((table.footerView(forSection: 0) as? TableHeader)?.text == text)
        #expect(table.footerView(forSection: 0)?.frame.height == CGFloat(text.count))
        #expect(table.headerView(forSection: 0) == nil)
        #expect(
          rows.footer(of: 0) != nil && rows.footer(of: 1) == nil && rows.footer(of: -1) == nil)
      }
      // The index path of a view of the whole layout has one element.
      let global = view.dataSource?.collectionView(
        view, viewForSupplementaryElementOfKind: footer, at: IndexPath(index: 0))
      #expect((global as? AlbumHeader)?.text == "newer")
    }

    @Test("D28: a list holds its view weakly, and does not wait for a view that was released")
    func viewIsReleased() async throws {
      var view: UICollectionView? = UICollectionView(
        frame: .zero, collectionViewLayout: UICollectionViewLayout())
      var table: UITableView? = UITableView(frame: .zero, style: .plain)
      weak let oldView = view
      weak let oldTable = table
      let list = view.map {
        CollectionViewList<Record>($0) { (cell: SongCell, song) in cell.song = song }
      }
      let rows = table.map {
        TableViewList<Record>($0) { (cell: SongRow, song) in cell.song = song }
      }
      (view, table) = (nil, nil)
      #expect(oldView == nil && oldTable == nil)
      for list in [list, rows] {
        for step in 0..<2 { try await list?.source.apply(Albums(["a": [step]])) }
        #expect(list?.source.snapshot.ids == [[1]])
      }
    }

    @Test("D29: a change without animation runs with UIKit's animations off")
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
      let list = CollectionViewList<Record>(view) { (cell: SongCell, song) in cell.song = song }
      for (step, animates) in [true, true, false].enumerated() {
        try await list.source.apply(Albums(["a": [step]]), animatingDifferences: animates)
      }
      #expect(view.batches == [true, false])
    }

    @Test("D31: a collection view and a table report prefetched rows")
    func viewsPrefetch() async throws {
      let view = UICollectionView(frame: .zero, collectionViewLayout: UICollectionViewLayout())
      let list = CollectionViewList<Record>(view) { (cell: SongCell, song) in cell.song = song }
      let table = UITableView(frame: .zero, style: .plain)
      let rows = TableViewList<Record>(table) { (cell: SongRow, song) in cell.song = song }
      var told: [Int] = []
      for list in [list, rows] {
        try await list.source.apply(Albums(["a": [1, 2]]))
        list.onPrefetch = { told += $0.map(\.id) }
      }
      var cancelled: [Int] = []
      for list in [list, rows] { list.onCancelPrefetch = { cancelled += $0.map(\.id) } }
      let paths = [IndexPath(item: 1, section: 0)]
      view.prefetchDataSource?.collectionView(view, prefetchItemsAt: paths)
      table.prefetchDataSource?.tableView(table, prefetchRowsAt: paths)
      #expect(told == [2, 2] && cancelled.isEmpty)
      let gone = paths + [IndexPath(item: 2, section: 0)]
      view.prefetchDataSource?.collectionView(view, cancelPrefetchingForItemsAt: gone)
      table.prefetchDataSource?.tableView(table, cancelPrefetchingForRowsAt: gone)
      #expect(told == [2, 2] && cancelled == [2, 2])
    }

    @Test(
      "D28: the selection survives a reload and a new cell")
    func selectionStays() async throws {
      let view = UICollectionView(frame: .zero, collectionViewLayout: UICollectionViewLayout())
      let table = UITableView(frame: .zero, style: .plain)
      (view.allowsMultipleSelection, table.allowsMultipleSelection) = (true, true)
      let plain = CollectionViewList<Record>.Cell { (cell: SongCell, song) in cell.song = song }
      let wide = CollectionViewList<Record>.Cell { (cell: WideCell, song) in cell.song = song }
      let list = CollectionViewList<Record>(view) { $0.title == "wide" ? wide : plain }
      let plainRow = TableViewList<Record>.Cell { (cell: SongRow, song) in cell.song = song }
      let wideRow = TableViewList<Record>.Cell { (cell: WideRow, song) in cell.song = song }
      let rows = TableViewList<Record>(table) { $0.title == "wide" ? wideRow : plainRow }
      func show(_ songs: [Song]) async throws {
        for list in [list, rows] {
          try await list.source.apply(Albums(sections: [Record(name: "a", items: songs)]))
        }
      }
      try await show([Song(id: 1), Song(id: 2), Song(id: 3)])
      for item in [0, 1] {
        let path = IndexPath(item: item, section: 0)
        view.selectItem(at: path, animated: false, scrollPosition: [])
        table.selectRow(at: path, animated: false, scrollPosition: .none)
      }
      // The list reloads here, because the view is not in a window.
      try await show([Song(id: 4), Song(id: 2), Song(id: 1)])
      let expected = [1, 2].map { IndexPath(item: $0, section: 0) }
      #expect(view.indexPathsForSelectedItems == expected)
      #expect(table.indexPathsForSelectedRows == expected)
      (view.window, table.window) = (window, window)
      try await show([Song(id: 2, title: "wide"), Song(id: 1)])
      let now = [0, 1].map { IndexPath(item: $0, section: 0) }
      #expect(view.allCells[0][0] is WideCell && table.allCells[0][0] is WideRow)
      #expect(view.indexPathsForSelectedItems == now)
      #expect(table.indexPathsForSelectedRows == now)
    }
  }
#endif
