#if APPLE_STUBS
  import AsyncDiff
  import AsyncDiffUIKit
  import AsyncKnotTesting
  import TestSupport
  import Testing
  import UIKit

  private final class SongCell: UICollectionViewCell { var song = Song(id: -1) }
  private final class SongRow: UITableViewCell { var song = Song(id: -1) }

  /// Drags and swipes in the lists of UIKit, on stubs that follow UIKit's rules.
  @Suite @MainActor struct UIKitDragTests {
    private let window = UIView()
    private let view = UICollectionView(
      frame: .zero, collectionViewLayout: UICollectionViewLayout())
    private let table = UITableView(frame: .zero, style: .plain)
    private let from = IndexPath(item: 0, section: 0)
    private let to = IndexPath(item: 1, section: 1)

    private func makeLists() -> (CollectionViewList<Record>, TableViewList<Record>) {
      (view.window, table.window) = (window, window)
      return (
        CollectionViewList<Record>(view) { (cell: SongCell, song) in cell.song = song },
        TableViewList<Record>(table) { (cell: SongRow, song) in cell.song = song }
      )
    }

    @Test("D30: a gesture moves a row of a collection view, if the list allows it")
    func gestureMovesRows() async throws {
      let (list, _) = makeLists()
      try await list.source.apply(Albums(["a": [1, 2], "b": [3]]))
      #expect(!view.beginInteractiveMovementForItem(at: from))
      list.canMove = { $0.id == 1 }
      #expect(!view.beginInteractiveMovementForItem(at: to))
      #expect(view.beginInteractiveMovementForItem(at: from))
      view.drop(at: to)
      #expect(list.source.snapshot.ids == [[2], [3, 1]])
    }

    @Test(
      "D30: rows that can move have a reorder control in editing mode, whether or not rows can be deleted",
      arguments: [false, true])
    func tableShowsReorderControl(deletes: Bool) async throws {
      let (_, list) = makeLists()
      try await list.source.apply(Albums(["a": [1, 2], "b": [3]]))
      list.canMove = { $0.id == 1 }
      if deletes { list.onDelete = { _ in } }
      try #require(!table.takeByControl(from), "the table is not in editing mode")
      table.isEditing = true
      #expect(!table.takeByControl(IndexPath(item: 1, section: 0)), "this row cannot move")
      #expect(table.editingStyle(at: from) == (deletes ? .delete : .none))
      try #require(table.takeByControl(from))
      table.drop(at: to)
      #expect(list.source.snapshot.ids == [[2], [3, 1]])
    }

    @Test("D30: a change waits until the user drops the row")
    func changeWaitsForTheDrop() async throws {
      let (list, rows) = makeLists()
      table.isEditing = true
      let changed = Albums(["a": [1, 2, 5], "b": [3, 4]])
      for list in [list, rows] {
        list.canMove = { _ in true }
        try await list.source.apply(Albums(["a": [1, 2], "b": [3]]))
        _ = (view.allCells, table.allCells)
        let isTaken =
          list is CollectionViewList<Record>
          ? view.beginInteractiveMovementForItem(at: from) : table.takeByControl(from)
        try #require(isTaken)
        var reorders = list.source.reorders.makeAsyncIterator()
        let change = Task { try await list.source.apply(changed, animatingDifferences: false) }
        for _ in 0..<10 { await Task.yield() }
        #expect(list.source.snapshot.ids == [[1, 2], [3]])
        view.drop(at: to)
        table.drop(at: to)
        #expect(await reorders.next()?.item.id == 1)
        _ = try await change.value
        #expect(list.source.snapshot.ids == changed.ids)
      }
    }

    @Test("D30: a change waits while a drop has placeholders")
    func changeWaitsForPlaceholders() async throws {
      let (list, rows) = makeLists()
      for list in [list, rows] {
        try await list.source.apply(Albums(["a": [1]]))
        (view.hasUncommittedUpdates, table.hasUncommittedUpdates) = (true, true)
        let change = Task { try await list.source.apply(Albums(["a": [1, 2]])) }
        for _ in 0..<10 { await Task.yield() }
        #expect(list.source.snapshot.ids == [[1]])
        (view.hasUncommittedUpdates, table.hasUncommittedUpdates) = (false, false)
        _ = try await change.value
      }
    }

    @Test("D30: a table keeps its delegate, which can return the list's editing style")
    func ownDelegate() async throws {
      final class Delegate: NSObject, UITableViewDelegate {
        var list: TableViewList<Record>?
        func tableView(
          _ tableView: UITableView, editingStyleForRowAt indexPath: IndexPath
        ) -> UITableViewCell.EditingStyle { list?.editingStyle ?? .insert }
      }
      let delegate = Delegate()
      table.delegate = delegate
      let (_, list) = makeLists()
      list.showHeaders { (_: UITableViewHeaderFooterView, _) in }
      delegate.list = list
      #expect(table.delegate === delegate)
      try await list.source.apply(Albums(["a": [1, 2]]))
      list.canMove = { _ in true }
      #expect(table.editingStyle(at: from) == .none)
      list.onDelete = { _ in }
      #expect(table.editingStyle(at: from) == .delete)
      delegate.list = nil
    }

    @Test(
      "D30: a row can be swiped only if onDelete is set, and the swipe calls onDelete without removing the row"
    )
    func swipeDeletes() async throws {
      let (_, list) = makeLists()
      try await list.source.apply(Albums(["a": [1, 2]]))
      let path = IndexPath(row: 1, section: 0)
      for canMove in [false, true] {
        list.canMove = { _ in canMove }
        #expect(table.editingStyle(at: path) == .none)
      }
      var deleted: [Int] = []
      list.onDelete = { deleted.append($0.id) }
      #expect(table.editingStyle(at: path) == .delete)
      for style in [UITableViewCell.EditingStyle.insert, .delete] {
        table.dataSource?.tableView(table, commit: style, forRowAt: path)
      }
      #expect(deleted == [2])
      #expect(table.allCells[0].count == 2)
    }
  }
#endif
