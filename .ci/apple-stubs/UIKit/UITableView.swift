// A stub for compiling samples, written from the public documentation; not Apple's framework, and not shipped.
@_exported import Foundation

@MainActor open class UITableViewCell: UIView {
  // Not required in UIKit, which makes views by their class at run time.
  nonisolated public override required init(frame: CGRect) { super.init(frame: frame) }
  public enum EditingStyle: Int, Sendable { case none, delete, insert }
  open var contentConfiguration: (any UIContentConfiguration)?
  open func defaultContentConfiguration() -> UIListContentConfiguration {
    UIListContentConfiguration()
  }
}

@MainActor open class UITableViewHeaderFooterView: UIView {
  // Not required in UIKit, which makes views by their class at run time.
  nonisolated public override required init(frame: CGRect) { super.init(frame: frame) }
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

// These are optional in UIKit.
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
}

@MainActor public protocol UITableViewDelegate: NSObjectProtocol {
  func tableView(_ tableView: UITableView, viewForHeaderInSection section: Int) -> UIView?
}

@MainActor open class UITableView: UIView {
  public enum Style: Int, Sendable { case plain, grouped, insetGrouped }
  public enum RowAnimation: Int, Sendable { case fade, right, left, top, bottom, none, middle, automatic = 100 }

  open weak var dataSource: (any UITableViewDataSource)?
  open weak var prefetchDataSource: (any UITableViewDataSourcePrefetching)?
  open weak var delegate: (any UITableViewDelegate)?
  /// The animations that were asked for.
  public private(set) var animations: [RowAnimation] = []

  nonisolated public init(frame: CGRect, style: Style) { super.init(frame: frame) }

  private lazy var rows = StubRows<UITableViewCell> { [unowned self] in
    guard let dataSource else { return [] }
    return (0..<dataSource.numberOfSections(in: self)).map {
      dataSource.tableView(self, numberOfRowsInSection: $0)
    }
  } cell: { [unowned self] path in
    dataSource?.tableView(self, cellForRowAt: path) ?? UITableViewCell()
  } header: { [unowned self] section in
    delegate?.tableView(self, viewForHeaderInSection: section)
  }

  /// The cells, which a real view has for what is on screen.
  public var allCells: [[UITableViewCell]] {
    rows.load()
    return rows.cells
  }

  /// Does what a drag of the user does.
  public func drag(from: IndexPath, to: IndexPath) {
    guard dataSource?.tableView(self, canMoveRowAt: from) == true else { return }
    rows.drag(from: from, to: to)
    dataSource?.tableView(self, moveRowAt: from, to: to)
  }

  open func reloadData() { rows.reload() }
  open func performBatchUpdates(
    _ updates: (() -> Void)?, completion: (@MainActor (Bool) -> Void)? = nil
  ) {
    rows.perform(updates, completion)
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
  /// The cell that `reconfigureRows(at:)` fills: the data source gets it back when it asks for one.
  private var reconfigured: UITableViewCell?
  open func reconfigureRows(at indexPaths: [IndexPath]) {
    for path in indexPaths {
      reconfigured = rows.cells[path.section][path.row]
      _ = dataSource?.tableView(self, cellForRowAt: path)
    }
    reconfigured = nil
  }
  open func headerView(forSection section: Int) -> UITableViewHeaderFooterView? {
    rows.headers[section] as? UITableViewHeaderFooterView
  }

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
    guard let type = cellClasses[identifier] else {
      fatalError("UIKit's rules: \(identifier) is not registered")
    }
    return reconfigured ?? type.init(frame: .zero)
  }
  open func dequeueReusableHeaderFooterView(
    withIdentifier identifier: String
  ) -> UITableViewHeaderFooterView? {
    headerClasses[identifier]?.init(frame: .zero)
  }
}
