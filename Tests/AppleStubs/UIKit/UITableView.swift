// A stub for compiling samples and running tests, written from the public documentation; not Apple's framework, and not shipped.
@_exported import Foundation

@MainActor open class UITableViewCell: UIView {
  // In UIKit this initializer is not `required`, because UIKit creates views from their class at run time.
  public override required init(frame: CGRect = .zero) { super.init(frame: frame) }
  public enum EditingStyle: Int, Sendable { case none, delete, insert }
  open var contentConfiguration: (any UIContentConfiguration)?
  open internal(set) var configurationState = UICellConfigurationState()
  open internal(set) var reuseIdentifier: String?
  open var showsReorderControl = false
  open func defaultContentConfiguration() -> UIListContentConfiguration {
    UIListContentConfiguration()
  }
}

@MainActor open class UITableViewHeaderFooterView: UIView {
  // In UIKit this initializer is not `required`, because UIKit creates views from their class at run time.
  public override required init(frame: CGRect = .zero) { super.init(frame: frame) }
  open var contentConfiguration: (any UIContentConfiguration)?
  open func defaultContentConfiguration() -> UIListContentConfiguration {
    UIListContentConfiguration()
  }
}

@MainActor public protocol UITableViewDataSource: NSObjectProtocol {
  func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int
  func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell
  func numberOfSections(in tableView: UITableView) -> Int
  func tableView(_ tableView: UITableView, canEditRowAt indexPath: IndexPath) -> Bool
  func tableView(
    _ tableView: UITableView, commit editingStyle: UITableViewCell.EditingStyle,
    forRowAt indexPath: IndexPath)
  func tableView(_ tableView: UITableView, canMoveRowAt indexPath: IndexPath) -> Bool
  func tableView(
    _ tableView: UITableView, moveRowAt sourceIndexPath: IndexPath,
    to destinationIndexPath: IndexPath)
}

// These methods are optional in UIKit.
extension UITableViewDataSource {
  public func numberOfSections(in tableView: UITableView) -> Int { 1 }
  public func tableView(_ tableView: UITableView, canEditRowAt indexPath: IndexPath) -> Bool {
    true
  }
  public func tableView(
    _ tableView: UITableView, commit editingStyle: UITableViewCell.EditingStyle,
    forRowAt indexPath: IndexPath
  ) {}
  public func tableView(_ tableView: UITableView, canMoveRowAt indexPath: IndexPath) -> Bool {
    true
  }
  public func tableView(
    _ tableView: UITableView, moveRowAt sourceIndexPath: IndexPath,
    to destinationIndexPath: IndexPath
  ) {}
}

@MainActor public protocol UITableViewDataSourcePrefetching: NSObjectProtocol {
  func tableView(_ tableView: UITableView, prefetchRowsAt indexPaths: [IndexPath])
  func tableView(_ tableView: UITableView, cancelPrefetchingForRowsAt indexPaths: [IndexPath])
}

// This method is optional in UIKit.
extension UITableViewDataSourcePrefetching {
  public func tableView(
    _ tableView: UITableView, cancelPrefetchingForRowsAt indexPaths: [IndexPath]
  ) {}
}

@MainActor public protocol UITableViewDelegate: NSObjectProtocol {
  func tableView(_ tableView: UITableView, viewForHeaderInSection section: Int) -> UIView?
  func tableView(_ tableView: UITableView, viewForFooterInSection section: Int) -> UIView?
  func tableView(
    _ tableView: UITableView, editingStyleForRowAt indexPath: IndexPath
  ) -> UITableViewCell.EditingStyle
}

// These methods are optional in UIKit.
extension UITableViewDelegate {
  public func tableView(_ tableView: UITableView, viewForHeaderInSection section: Int) -> UIView? {
    nil
  }
  public func tableView(_ tableView: UITableView, viewForFooterInSection section: Int) -> UIView? {
    nil
  }
  public func tableView(
    _ tableView: UITableView, editingStyleForRowAt indexPath: IndexPath
  ) -> UITableViewCell.EditingStyle { .delete }
}

@MainActor open class UITableView: UIView {
  public enum Style: Int, Sendable { case plain, grouped, insetGrouped }
  public enum RowAnimation: Int, Sendable { case fade, right, left, top, bottom, none, middle, automatic = 100 }
  public enum ScrollPosition: Int, Sendable { case none, top, middle, bottom }

  open weak var dataSource: (any UITableViewDataSource)?
  open weak var prefetchDataSource: (any UITableViewDataSourcePrefetching)?
  open weak var delegate: (any UITableViewDelegate)?
  open var isEditing = false
  open var allowsMultipleSelection = false
  /// The animations that `deleteSections(_:with:)` has requested.
  public private(set) var animations: [RowAnimation] = []

  public init(frame: CGRect, style: Style) { super.init(frame: frame) }

  private lazy var rows = StubRows<UITableViewCell> { [unowned self] in
    guard let dataSource else { return [] }
    return (0..<dataSource.numberOfSections(in: self)).map {
      dataSource.tableView(self, numberOfRowsInSection: $0)
    }
  } cell: { [unowned self] path in
    dataSource?.tableView(self, cellForRowAt: path) ?? UITableViewCell()
  } kinds: {
    ["header", "footer"]
  } view: { [unowned self] kind, section in
    kind == "header"
      ? delegate?.tableView(self, viewForHeaderInSection: section)
      : delegate?.tableView(self, viewForFooterInSection: section)
  }

  /// The cells of all rows.
  ///
  /// A real view has cells only for the rows on screen.
  public var allCells: [[UITableViewCell]] {
    rows.load()
    return rows.cells
  }
  open var visibleCells: [UITableViewCell] { rows.cells.flatMap(\.self) }

  open func reloadData() { rows.reload() }
  open func performBatchUpdates(
    _ updates: (() -> Void)?, completion: (@MainActor (Bool) -> Void)? = nil
  ) {
    rows.perform(updates, completion)
    // A batch requests all heights again, as `beginUpdates()` and `endUpdates()` do.
    rows.measureAll()
  }
  open func deleteSections(_ sections: IndexSet, with animation: RowAnimation) {
    animations.append(animation)
    rows.batch?.deleted += sections
  }
  open func insertSections(_ sections: IndexSet, with animation: RowAnimation) {
    rows.batch?.inserted += sections
  }
  open func moveSection(_ section: Int, toSection newSection: Int) {
    rows.batch?.sectionMoves.append((section, newSection))
  }
  open func deleteRows(at indexPaths: [IndexPath], with animation: RowAnimation) {
    rows.batch?.deletedRows += indexPaths
  }
  open func insertRows(at indexPaths: [IndexPath], with animation: RowAnimation) {
    rows.batch?.insertedRows += indexPaths
  }
  open func moveRow(at indexPath: IndexPath, to newIndexPath: IndexPath) {
    rows.batch?.rowMoves.append((indexPath, newIndexPath))
  }
  open func reloadRows(at indexPaths: [IndexPath], with animation: RowAnimation) {
    rows.reload(indexPaths)
  }
  /// The cell that `reconfigureRows(at:)` is updating.
  ///
  /// The data source gets this cell when it dequeues one.
  private var reconfigured: UITableViewCell?
  open func reconfigureRows(at indexPaths: [IndexPath]) {
    for path in indexPaths {
      reconfigured = rows.cell(at: path)
      check(
        dataSource?.tableView(self, cellForRowAt: path) === reconfigured,
        "reconfigureRows: the data source must return the existing cell")
    }
    reconfigured = nil
  }
  open func headerView(forSection section: Int) -> UITableViewHeaderFooterView? {
    rows.views["header"]?[section] as? UITableViewHeaderFooterView
  }
  open func footerView(forSection section: Int) -> UITableViewHeaderFooterView? {
    rows.views["footer"]?[section] as? UITableViewHeaderFooterView
  }

  open var indexPathsForVisibleRows: [IndexPath]? { rows.visiblePaths }
  open var indexPathsForSelectedRows: [IndexPath]? {
    rows.selectedPaths.isEmpty ? nil : rows.selectedPaths
  }
  open func selectRow(
    at indexPath: IndexPath?, animated: Bool, scrollPosition: ScrollPosition
  ) {
    if let indexPath { rows.select(indexPath, alone: !allowsMultipleSelection) }
  }

  // The user's drags.

  open var hasUncommittedUpdates: Bool {
    get { rows.hasUncommittedUpdates }
    set { rows.hasUncommittedUpdates = newValue }
  }
  /// Simulates a user who picks up a row by its reorder control.
  ///
  /// Returns `false` if the table is not in editing mode, the control is not displayed, or the row cannot be moved.
  public func takeByControl(_ path: IndexPath) -> Bool {
    let cell = rows.cell(at: path)
    guard let dataSource, isEditing, dataSource.tableView(self, canEditRowAt: path),
      cell.showsReorderControl, dataSource.tableView(self, canMoveRowAt: path)
    else { return false }
    rows.hold(path)
    cell.configurationState.isReordering = true
    return true
  }
  public func drop(at path: IndexPath) {
    rows.held?.configurationState.isReordering = false
    guard let from = rows.drop(at: path) else { return }
    dataSource?.tableView(self, moveRowAt: from, to: path)
  }
  /// The style of the control that the row shows in editing mode.
  ///
  /// The style also decides whether a swipe deletes the row.
  public func editingStyle(at path: IndexPath) -> UITableViewCell.EditingStyle {
    guard dataSource?.tableView(self, canEditRowAt: path) == true else { return .none }
    return delegate?.tableView(self, editingStyleForRowAt: path) ?? .delete
  }

  /// Whether completions wait for `endAnimations()`.
  public var holdsCompletions: Bool {
    get { rows.holdsCompletions }
    set { rows.holdsCompletions = newValue }
  }
  public func endAnimations() { rows.end() }

  // Cells.

  private var cellClasses: [String: UITableViewCell.Type] = [:]
  private var headerClasses: [String: UITableViewHeaderFooterView.Type] = [:]
  open func register(_ cellClass: AnyClass?, forCellReuseIdentifier identifier: String) {
    cellClasses[identifier] = cellClass as? UITableViewCell.Type
  }
  open func register(_ aClass: AnyClass?, forHeaderFooterViewReuseIdentifier identifier: String) {
    headerClasses[identifier] = aClass as? UITableViewHeaderFooterView.Type
  }
  open func dequeueReusableCell(
    withIdentifier identifier: String, for indexPath: IndexPath
  ) -> UITableViewCell {
    if let reconfigured {
      check(
        reconfigured.reuseIdentifier == identifier,
        "reconfigureRows: the cell has a different reuse identifier than the existing one")
      return reconfigured
    }
    guard let type = cellClasses[identifier] else {
      fatalError("UIKit's rules: \(identifier) is not registered")
    }
    let cell = type.init(frame: .zero)
    cell.reuseIdentifier = identifier
    return cell
  }
  open func dequeueReusableHeaderFooterView(
    withIdentifier identifier: String
  ) -> UITableViewHeaderFooterView? {
    headerClasses[identifier]?.init(frame: .zero)
  }
}
