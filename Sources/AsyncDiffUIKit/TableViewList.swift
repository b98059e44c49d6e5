#if canImport(UIKit) && !os(watchOS)
  public import AsyncDiff
  public import UIKit

  /// Shows a list in a `UITableView`, as its data source.
  ///
  /// ```swift
  /// let list = TableViewList<Day>(table) { (cell: UITableViewCell, article) in
  ///   var content = cell.defaultContentConfiguration()
  ///   content.text = article.title
  ///   cell.contentConfiguration = content
  /// }
  /// list.onDelete = { article in model.remove(article) }
  /// ```
  /// Keep a reference to the list; the list references its table weakly. If the table has no delegate, the list becomes its
  /// delegate. If you use your own delegate, return ``header(of:)``, ``footer(of:)`` and ``editingStyle`` from its methods.
  public final class TableViewList<Section: SectionInflator>: ListSurface<Section> {
    /// The animation of inserted and removed rows and sections.
    public var rowAnimation: UITableView.RowAnimation {
      get { adapter.rowAnimation }
      set { adapter.rowAnimation = newValue }
    }

    /// Called with a row that the user deletes with a swipe or in editing mode; if `nil`, the user cannot delete rows.
    ///
    /// The row stays until a snapshot without it is shown.
    public var onDelete: ((Section.Item) -> Void)? {
      get { adapter.onDelete }
      set { adapter.onDelete = newValue }
    }

    /// Returns whether a row is editable even if it can be neither moved nor deleted; by default, `false`.
    ///
    /// A table asks its delegate only for the swipe actions of editable rows.
    public var canEdit: (Section.Item) -> Bool = { _ in false }

    /// The style for a delegate's `tableView(_:editingStyleForRowAt:)` to return: `.delete` if ``onDelete`` is set, otherwise
    /// `.none`.
    ///
    /// UIKit shows the reorder control only in editable rows, and a delete control in each of them unless the
    /// delegate returns `.none`.
    public var editingStyle: UITableViewCell.EditingStyle { onDelete == nil ? .none : .delete }

    private let adapter: TableViewAdapter<Section>

    /// A class of cells, and the closure that fills them.
    ///
    /// A changed row keeps its `UITableViewCell` if the list chooses the same `Cell` for the row. Otherwise the row gets a new
    /// one, because `reconfigureRows(at:)` cannot change the class.
    @MainActor public final class Cell {
      /// Several `Cell` objects may have the same class, so the identity of this object is part of the identifier.
      var reuseIdentifier: String { "\(cellClass) \(ObjectIdentifier(self))" }
      let cellClass: UITableViewCell.Type
      let fill: (UITableViewCell, Section.Item) -> Void

      /// Creates a `Cell` for the class that `fill` takes; the list registers that class.
      ///
      /// - Parameter fill: Fills a cell, which may have shown another row before.
      public init<View: UITableViewCell>(fill: @escaping (View, Section.Item) -> Void) {
        cellClass = View.self
        self.fill = { cell, item in if let cell = cell as? View { fill(cell, item) } }
      }
    }

    /// Creates a list with cells of one class.
    ///
    /// - Parameters:
    ///   - view: The view that shows the list.
    ///   - fill: Fills a cell, which may have shown another row before.
    @inlinable
    public convenience init<View: UITableViewCell>(
      _ view: UITableView, fill: @escaping (View, Section.Item) -> Void
    ) {
      let cell = Cell(fill: fill)
      self.init(view) { _ in cell }
    }

    /// Creates a list with cells of several classes.
    ///
    /// <!-- sample: final class WideCell: UITableViewCell {} -->
    /// ```swift
    /// let plain = TableViewList<Day>.Cell { (cell: UITableViewCell, article) in }
    /// let wide = TableViewList<Day>.Cell { (cell: WideCell, article) in }
    /// let list = TableViewList<Day>(table) { article in article.title == "" ? plain : wide }
    /// ```
    /// - Parameters:
    ///   - view: The view that shows the list.
    ///   - cell: Chooses the cell of a row. The choice must depend only on the row.
    @inlinable
    public convenience init(
      _ view: UITableView, cell: @escaping (Section.Item) -> Cell
    ) {
      self.init(view, cell: cell) { DiffableDataSource(surface: $0) }
    }

    @usableFromInline
    init(
      _ view: UITableView, cell: @escaping (Section.Item) -> Cell,
      makeSource: @escaping (ListSurface<Section>) -> DiffableDataSource<Section>
    ) {
      adapter = TableViewAdapter(view, cell: cell)
      super.init(adapter, kind: cell, makeSource: makeSource)
      adapter.list = self
      if view.delegate == nil || view.delegate is any ListView { view.delegate = adapter }
      view.dataSource = adapter
      view.prefetchDataSource = adapter
      // The view may still show the rows of its previous data source.
      view.reloadData()
    }

    /// Shows headers of one class, which the list registers; call this method before the first snapshot.
    ///
    /// A table gets headers from its delegate, so your own delegate must return ``header(of:)``.
    ///
    /// - Parameter fill: Fills a header, which may have shown another section before.
    public func showHeaders<Header: UITableViewHeaderFooterView>(
      fill: @escaping (Header, Section.Content) -> Void
    ) {
      adapter.headers = sectionViews(fill)
    }

    /// Shows footers of one class, which the list registers; call this method before the first snapshot.
    ///
    /// A table gets footers from its delegate, so your own delegate must return ``footer(of:)``.
    ///
    /// - Parameter fill: Fills a footer, which may have shown another section before.
    public func showFooters<Footer: UITableViewHeaderFooterView>(
      fill: @escaping (Footer, Section.Content) -> Void
    ) {
      adapter.footers = sectionViews(fill)
    }

    private func sectionViews<View: UITableViewHeaderFooterView>(
      _ fill: @escaping (View, Section.Content) -> Void
    ) -> TableViewAdapter<Section>.SectionViews {
      let name = String(reflecting: View.self)
      adapter.view?.register(View.self, forHeaderFooterViewReuseIdentifier: name)
      return TableViewAdapter.SectionViews(reuseIdentifier: name) { [weak self] view, section in
        if let self, let view = view as? View { fill(view, shown.sections[section].content) }
      }
    }

    /// The header of a section, for a delegate's `tableView(_:viewForHeaderInSection:)`; `nil` before
    /// ``showHeaders(fill:)``, or if there is no such section.
    public func header(of section: Int) -> UITableViewHeaderFooterView? {
      sectionView(adapter.headers, of: section)
    }

    /// The footer of a section, for a delegate's `tableView(_:viewForFooterInSection:)`; `nil` before
    /// ``showFooters(fill:)``, or if there is no such section.
    public func footer(of section: Int) -> UITableViewHeaderFooterView? {
      sectionView(adapter.footers, of: section)
    }

    private func sectionView(
      _ views: TableViewAdapter<Section>.SectionViews?, of section: Int
    ) -> UITableViewHeaderFooterView? {
      guard shown.sections.indices.contains(section), let view = adapter.view else { return nil }
      return views?.view(from: view, for: section)
    }
  }
#endif
