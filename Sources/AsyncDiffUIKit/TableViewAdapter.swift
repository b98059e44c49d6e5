#if canImport(UIKit) && !os(watchOS)
  internal import AsyncDiff
  internal import UIKit

  /// Connects a list to a table, in both directions.
  ///
  /// All methods are declared in the class itself, because an extension of a generic class cannot contain Objective-C methods.
  final class TableViewAdapter<Section: SectionInflator>:
    NSObject, ListView, UITableViewDataSource, UITableViewDataSourcePrefetching, UITableViewDelegate
  {
    weak var list: TableViewList<Section>?
    var rowAnimation = UITableView.RowAnimation.automatic
    var onDelete: ((Section.Item) -> Void)?
    var headers: SectionViews?
    var footers: SectionViews?

    struct SectionViews {
      let reuseIdentifier: String
      let fill: (UITableViewHeaderFooterView, Int) -> Void

      @MainActor
      func view(from table: UITableView, for section: Int) -> UITableViewHeaderFooterView? {
        let view = table.dequeueReusableHeaderFooterView(withIdentifier: reuseIdentifier)
        if let view { fill(view, section) }
        return view
      }
    }

    private weak let target: UITableView?
    /// The view, unless another list has become its data source.
    var view: UITableView? { target?.dataSource === self ? target : nil }
    private let cell: (Section.Item) -> TableViewList<Section>.Cell
    /// The registered cells by reuse identifier; retained, so that their identifiers stay unique.
    private var registered: [String: TableViewList<Section>.Cell] = [:]

    init(_ view: UITableView, cell: @escaping (Section.Item) -> TableViewList<Section>.Cell) {
      target = view
      self.cell = cell
    }

    // Members that the list uses.

    var isInWindow: Bool { view?.window != nil }
    var visibleRows: [ItemPath] { view?.indexPathsForVisibleRows?.map { ItemPath($0) } ?? [] }
    var isHeld: Bool {
      guard let view else { return false }
      return view.hasUncommittedUpdates
        || view.visibleCells.contains(where: \.configurationState.isReordering)
    }
    var selection: [ItemPath] { view?.indexPathsForSelectedRows?.map { ItemPath($0) } ?? [] }
    func select(_ paths: [ItemPath]) {
      for path in paths {
        view?.selectRow(at: path.indexPath, animated: false, scrollPosition: .none)
      }
    }
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
    func replaceRows(_ paths: [ItemPath]) {
      view?.reloadRows(at: paths.map(\.indexPath), with: rowAnimation)
    }
    func updateSections(_ sections: [Int]) {
      guard let view else { return }
      for section in sections {
        if let header = view.headerView(forSection: section) { headers?.fill(header, section) }
        if let footer = view.footerView(forSection: section) { footers?.fill(footer, section) }
      }
      // An empty batch makes the table ask for the heights again.
      view.performBatchUpdates(nil)
    }

    // Methods that the view calls.

    func numberOfSections(in tableView: UITableView) -> Int { list?.shown.numberOfSections ?? 0 }
    func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
      list?.shown.numberOfItems(in: section) ?? 0
    }
    func tableView(
      _ tableView: UITableView, cellForRowAt indexPath: IndexPath
    ) -> UITableViewCell {
      guard let list else {
        preconditionFailure(
          "TableViewList: the list was released, but its table asks for a cell; keep a reference to the list"
        )
      }
      let item = list.itemToShow(at: ItemPath(indexPath))
      let kind = cell(item)
      let name = kind.reuseIdentifier
      if registered.updateValue(kind, forKey: name) == nil {
        tableView.register(kind.cellClass, forCellReuseIdentifier: name)
      }
      let cell = tableView.dequeueReusableCell(withIdentifier: name, for: indexPath)
      kind.fill(cell, item)
      #if !os(tvOS)
        cell.showsReorderControl = list.canMove(item)
      #endif
      return cell
    }
    func tableView(_ tableView: UITableView, viewForHeaderInSection section: Int) -> UIView? {
      list?.header(of: section)
    }
    func tableView(_ tableView: UITableView, viewForFooterInSection section: Int) -> UIView? {
      list?.footer(of: section)
    }
    func tableView(_ tableView: UITableView, canEditRowAt indexPath: IndexPath) -> Bool {
      guard onDelete == nil, let list else { return true }
      // UIKit shows a reorder control only in rows that are editable.
      let path = ItemPath(indexPath)
      return list.canMove(at: path) || list.item(at: path).map(list.canEdit) == true
    }
    func tableView(
      _ tableView: UITableView, editingStyleForRowAt indexPath: IndexPath
    ) -> UITableViewCell.EditingStyle { list?.editingStyle ?? .none }
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
    func tableView(
      _ tableView: UITableView, cancelPrefetchingForRowsAt indexPaths: [IndexPath]
    ) {
      list?.cancelPrefetch(indexPaths.map { ItemPath($0) })
    }
  }
#endif
