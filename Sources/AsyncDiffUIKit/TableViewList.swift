#if canImport(UIKit) && !os(watchOS)
  public import AsyncDiff
  public import UIKit

  /// Shows a list in a `UITableView`, whose data source it becomes.
  ///
  /// ```swift
  /// let list = TableViewList<Day>(table) { (cell: UITableViewCell, article) in
  ///   var content = cell.defaultContentConfiguration()
  ///   content.text = article.title
  ///   cell.contentConfiguration = content
  /// }
  /// list.onDelete = { article in model.remove(article) }
  /// ```
  /// Keep a reference to the list, which holds its table weakly. The table's delegate stays yours.
  public final class TableViewList<Section: SectionInflator>: ListSurface<Section> {
    /// How rows and sections come and go where a change is animated.
    public var rowAnimation: UITableView.RowAnimation {
      get { adapter.rowAnimation }
      set { adapter.rowAnimation = newValue }
    }

    /// Called with a row that the user deletes by a swipe; without it no row can be deleted.
    ///
    /// The row stays until a snapshot without it is shown.
    public var onDelete: ((Section.Item) -> Void)? {
      get { adapter.onDelete }
      set { adapter.onDelete = newValue }
    }

    private let adapter: TableViewAdapter<Section>

    /// Creates a list with cells of one class, which is registered by its name.
    ///
    /// - Parameters:
    ///   - view: The view.
    ///   - fill: Fills a cell, which may have shown another row before.
    @inlinable
    public convenience init<Cell: UITableViewCell>(
      _ view: UITableView, fill: @escaping (Cell, Section.Item) -> Void
    ) {
      let name = String(reflecting: Cell.self)
      view.register(Cell.self, forCellReuseIdentifier: name)
      self.init(view) { view, path, item in
        let cell = view.dequeueReusableCell(withIdentifier: name, for: path)
        if let cell = cell as? Cell { fill(cell, item) }
        return cell
      }
    }

    /// Creates a list with cells of several classes.
    ///
    /// - Parameters:
    ///   - view: The view.
    ///   - cell: Takes a cell from the view, and fills it.
    @inlinable
    public convenience init(
      _ view: UITableView,
      cell: @escaping (UITableView, IndexPath, Section.Item) -> UITableViewCell
    ) {
      self.init(view, cell: cell) { DiffableDataSource(surface: $0) }
    }

    @usableFromInline
    init(
      _ view: UITableView,
      cell: @escaping (UITableView, IndexPath, Section.Item) -> UITableViewCell,
      makeSource: @escaping (ListSurface<Section>) -> DiffableDataSource<Section>
    ) {
      adapter = TableViewAdapter(view, cell: cell)
      super.init(adapter, makeSource: makeSource)
      adapter.list = self
      view.dataSource = adapter
      view.prefetchDataSource = adapter
    }

    /// Shows headers of one class, which is registered by its name.
    ///
    /// A table takes headers from its delegate. Call this before the first snapshot: the list becomes the
    /// delegate of a table that has none, and a delegate of yours returns ``header(of:)``.
    ///
    /// - Parameter fill: Fills a header, which may have shown another section before.
    public func showHeaders<Header: UITableViewHeaderFooterView>(
      fill: @escaping (Header, Section.Content) -> Void
    ) {
      let name = String(reflecting: Header.self)
      adapter.view?.register(Header.self, forHeaderFooterViewReuseIdentifier: name)
      adapter.newHeader = { $0.dequeueReusableHeaderFooterView(withIdentifier: name) }
      adapter.fillHeader = { [weak self] header, section in
        if let self, let header = header as? Header {
          fill(header, shown.sections[section].content)
        }
      }
      if adapter.view?.delegate == nil { adapter.view?.delegate = adapter }
    }

    /// The header of a section, for `tableView(_:viewForHeaderInSection:)` of a delegate.
    ///
    /// - Parameter section: The number of the section.
    /// - Returns: A header; nil before ``showHeaders(fill:)``.
    public func header(of section: Int) -> UITableViewHeaderFooterView? {
      let header = adapter.view.flatMap(adapter.newHeader)
      if let header { adapter.fillHeader(header, section) }
      return header
    }
  }

  /// Puts a list into a table's words, and the table's calls into those of the list.
  ///
  /// All methods stand in the class: an extension of a generic class cannot have those of Objective-C.
  private final class TableViewAdapter<Section: SectionInflator>:
    NSObject, ListView, UITableViewDataSource, UITableViewDataSourcePrefetching, UITableViewDelegate
  {
    weak var list: TableViewList<Section>?
    var rowAnimation = UITableView.RowAnimation.automatic
    var onDelete: ((Section.Item) -> Void)?
    var newHeader: (UITableView) -> UITableViewHeaderFooterView? = { _ in nil }
    var fillHeader: (UITableViewHeaderFooterView, Int) -> Void = { _, _ in }

    weak let view: UITableView?
    private let cell: (UITableView, IndexPath, Section.Item) -> UITableViewCell

    init(
      _ view: UITableView,
      cell: @escaping (UITableView, IndexPath, Section.Item) -> UITableViewCell
    ) {
      self.view = view
      self.cell = cell
    }

    // What the list asks.

    var isInWindow: Bool { view?.window != nil }
    func reload() { view?.reloadData() }
    func animate(_ isOn: Bool, _ change: () -> Void) {
      isOn ? change() : UIView.performWithoutAnimation(change)
    }
    func perform(_ batch: @escaping () -> Void, completion: @escaping @MainActor () -> Void) {
      view?.performBatchUpdates(batch) { _ in completion() }
    }
    func deleteSections(_ sections: [Int]) {
      view?.deleteSections(IndexSet(sections), with: rowAnimation)
    }
    func insertSections(_ sections: [Int]) {
      view?.insertSections(IndexSet(sections), with: rowAnimation)
    }
    func moveSection(from: Int, to: Int) { view?.moveSection(from, toSection: to) }
    func deleteRows(_ paths: [ItemPath]) {
      view?.deleteRows(at: paths.map(\.indexPath), with: rowAnimation)
    }
    func insertRows(_ paths: [ItemPath]) {
      view?.insertRows(at: paths.map(\.indexPath), with: rowAnimation)
    }
    func moveRow(from: ItemPath, to: ItemPath) {
      view?.moveRow(at: from.indexPath, to: to.indexPath)
    }
    func updateRows(_ paths: [ItemPath]) { view?.reconfigureRows(at: paths.map(\.indexPath)) }
    func updateHeader(of section: Int) {
      if let header = view?.headerView(forSection: section) { fillHeader(header, section) }
    }

    // What the view asks.

    func numberOfSections(in tableView: UITableView) -> Int { list?.shown.numberOfSections ?? 0 }
    func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
      list?.shown.numberOfItems(in: section) ?? 0
    }
    func tableView(
      _ tableView: UITableView, cellForRowAt indexPath: IndexPath
    ) -> UITableViewCell {
      guard let list else { preconditionFailure("TableViewList: keep the list") }
      return cell(tableView, indexPath, list.itemToShow(at: ItemPath(indexPath)))
    }
    func tableView(_ tableView: UITableView, viewForHeaderInSection section: Int) -> UIView? {
      list?.header(of: section)
    }
    func tableView(_ tableView: UITableView, canEditRowAt indexPath: IndexPath) -> Bool {
      onDelete != nil
    }
    func tableView(
      _ tableView: UITableView, commit editingStyle: UITableViewCell.EditingStyle,
      forRowAt indexPath: IndexPath
    ) {
      guard editingStyle == .delete, let item = list?.item(at: ItemPath(indexPath)) else { return }
      onDelete?(item)
    }
    func tableView(_ tableView: UITableView, canMoveRowAt indexPath: IndexPath) -> Bool {
      list?.canMove(at: ItemPath(indexPath)) ?? false
    }
    func tableView(
      _ tableView: UITableView, moveRowAt sourceIndexPath: IndexPath,
      to destinationIndexPath: IndexPath
    ) {
      list?.move(from: ItemPath(sourceIndexPath), to: ItemPath(destinationIndexPath))
    }
    func tableView(_ tableView: UITableView, prefetchRowsAt indexPaths: [IndexPath]) {
      list?.prefetch(indexPaths.map { ItemPath($0) })
    }
  }
#endif
