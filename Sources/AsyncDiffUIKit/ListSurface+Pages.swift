public import AsyncDiff
internal import AsyncKnot

extension ListSurface {
  /// Shows a query page by page: the window grows when the user gets near the last row.
  ///
  /// <!-- sample:
  /// actor Desk: StateActor { let knot = Knot(LiveTable<Article>()) }
  /// let query = LiveQuery(of: Article.self)
  /// let desk = Desk()
  /// typealias Articles = LiveSection<Int, Article, NoContent>
  /// let list = CollectionViewList<Articles>(view) { (cell: UICollectionViewListCell, article) in }
  /// -->
  /// ```swift
  /// let live = LiveList(query.window(0..<100), of: desk)
  /// live.states.pipe(to: list.source, in: bag)
  /// list.show(query.filter { $0.title != "" }, of: live, page: 100)
  /// ```
  /// Create the live list with a window of one page, so that the first page is shown immediately. When a row in the last half page
  /// of a section is on the screen, and the section may have more rows, the window grows by one page. Another call to this method
  /// starts with the first page again.
  ///
  /// Traps if `page` is less than 1.
  ///
  /// - Parameters:
  ///   - query: The query; if it has a window, this method replaces the window.
  ///   - list: The live list, whose states are piped to ``source``.
  ///   - page: The number of rows by which the window of each section grows.
  public func show<Row>(
    _ query: LiveQuery<Row, Section>, of list: LiveList<Row, Section>, page: Int = 100
  ) {
    precondition(
      page >= 1, "ListSurface.show(_:of:page:): needs a page of at least 1 row; got \(page)")
    var end = page
    onReach = { [unowned self] path in
      // The view may still show rows of an older query, or an intermediate stage, so the newest snapshot decides.
      let newest = list.state
      guard newest.query === query.identity, let path = shown.path(of: path, in: newest),
        path.item + max(page / 2, 1) >= end, newest.numberOfItems(in: path.section) == end
      else { return }
      end += page
      list.show(query.window(0..<end))
    }
    list.show(query.window(0..<end))
    // The view does not ask again for rows that stay on the screen, so a task reports them after the query's first state arrives.
    // A new bag cancels the previous task.
    paging = TaskBag()
    paging.add { @MainActor [weak self] in
      for await state in list.states where state.query === query.identity { break }
      self?.reachVisibleRows()
    }
  }
}
