// A stub for compiling samples, written from the public documentation; not Apple's framework, and not shipped.
@_exported import Foundation

@MainActor open class UICollectionReusableView: UIView {
  // Not required in UIKit, which makes views by their class at run time.
  nonisolated public override required init(frame: CGRect) { super.init(frame: frame) }
}

@MainActor open class UICollectionViewCell: UICollectionReusableView {
  open var contentConfiguration: (any UIContentConfiguration)?
}

@MainActor open class UICollectionViewListCell: UICollectionViewCell {
  open var accessories: [UICellAccessory] = []
  open func defaultContentConfiguration() -> UIListContentConfiguration {
    UIListContentConfiguration()
  }
}

public struct UICellAccessory: Sendable {
  public static func reorder() -> UICellAccessory { UICellAccessory() }
}

@MainActor open class UICollectionViewLayout: NSObject {
  nonisolated public override init() { super.init() }
}

@MainActor open class UICollectionViewCompositionalLayout: UICollectionViewLayout {
  public static func list(
    using configuration: UICollectionLayoutListConfiguration
  ) -> UICollectionViewCompositionalLayout {
    UICollectionViewCompositionalLayout()
  }
}

@MainActor public struct UICollectionLayoutListConfiguration {
  public enum Appearance: Sendable { case plain, grouped, insetGrouped, sidebar, sidebarPlain }
  public enum HeaderMode: Sendable { case none, supplementary, firstItemInSection }
  public typealias SwipeActionsConfigurationProvider = (IndexPath) -> UISwipeActionsConfiguration?
  public var headerMode = HeaderMode.none
  public var trailingSwipeActionsConfigurationProvider: SwipeActionsConfigurationProvider?
  public init(appearance: Appearance) {}
}

@MainActor open class UIContextualAction: NSObject {
  public enum Style: Int, Sendable { case normal, destructive }
  public typealias Handler = @MainActor (
    UIContextualAction, UIView, @escaping @MainActor (Bool) -> Void
  ) -> Void
  public let handler: Handler
  public init(style: Style, title: String?, handler: @escaping Handler) { self.handler = handler }
}

@MainActor open class UISwipeActionsConfiguration: NSObject {
  public let actions: [UIContextualAction]
  public init(actions: [UIContextualAction]) { self.actions = actions }
}

@MainActor public protocol UICollectionViewDataSource: NSObjectProtocol {
  func collectionView(_ collectionView: UICollectionView, numberOfItemsInSection section: Int)
    -> Int
  func collectionView(
    _ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath
  ) -> UICollectionViewCell
  func numberOfSections(in collectionView: UICollectionView) -> Int
  func collectionView(
    _ collectionView: UICollectionView, viewForSupplementaryElementOfKind kind: String,
    at indexPath: IndexPath
  ) -> UICollectionReusableView
  func collectionView(
    _ collectionView: UICollectionView, canMoveItemAt indexPath: IndexPath
  ) -> Bool
  func collectionView(
    _ collectionView: UICollectionView, moveItemAt sourceIndexPath: IndexPath,
    to destinationIndexPath: IndexPath
  )
}

// These are optional in UIKit.
extension UICollectionViewDataSource {
  public func numberOfSections(in collectionView: UICollectionView) -> Int { 1 }
  public func collectionView(
    _ collectionView: UICollectionView, viewForSupplementaryElementOfKind kind: String,
    at indexPath: IndexPath
  ) -> UICollectionReusableView { fatalError("no header") }
  public func collectionView(
    _ collectionView: UICollectionView, canMoveItemAt indexPath: IndexPath
  ) -> Bool { false }
  public func collectionView(
    _ collectionView: UICollectionView, moveItemAt sourceIndexPath: IndexPath,
    to destinationIndexPath: IndexPath
  ) {}
}

@MainActor public protocol UICollectionViewDataSourcePrefetching: NSObjectProtocol {
  func collectionView(
    _ collectionView: UICollectionView, prefetchItemsAt indexPaths: [IndexPath])
}

@MainActor open class UICollectionView: UIView {
  public static let elementKindSectionHeader = "UICollectionElementKindSectionHeader"
  open weak var dataSource: (any UICollectionViewDataSource)?
  open weak var prefetchDataSource: (any UICollectionViewDataSourcePrefetching)?
  open var collectionViewLayout = UICollectionViewLayout()
  /// Stands for a layout that has headers.
  public var hasHeaders = false

  nonisolated public init(frame: CGRect, collectionViewLayout layout: UICollectionViewLayout) {
    super.init(frame: frame)
  }

  private lazy var rows = StubRows<UICollectionViewCell> { [unowned self] in
    guard let dataSource else { return [] }
    return (0..<dataSource.numberOfSections(in: self)).map {
      dataSource.collectionView(self, numberOfItemsInSection: $0)
    }
  } cell: { [unowned self] path in
    dataSource?.collectionView(self, cellForItemAt: path) ?? UICollectionViewCell()
  } header: { [unowned self] section in
    hasHeaders
      ? dataSource?.collectionView(
        self, viewForSupplementaryElementOfKind: Self.elementKindSectionHeader,
        at: IndexPath(item: 0, section: section)) : nil
  }

  /// The cells, which a real view has for what is on screen.
  public var allCells: [[UICollectionViewCell]] {
    rows.load()
    return rows.cells
  }

  /// Does what a drag of the user does.
  public func drag(from: IndexPath, to: IndexPath) {
    guard dataSource?.collectionView(self, canMoveItemAt: from) == true else { return }
    rows.drag(from: from, to: to)
    dataSource?.collectionView(self, moveItemAt: from, to: to)
  }

  open func reloadData() { rows.reload() }
  open func performBatchUpdates(
    _ updates: (() -> Void)?, completion: (@MainActor (Bool) -> Void)? = nil
  ) {
    rows.perform(updates, completion)
  }
  open func deleteSections(_ sections: IndexSet) { rows.batch?.deleted += sections }
  open func insertSections(_ sections: IndexSet) { rows.batch?.inserted += sections }
  open func moveSection(_ section: Int, toSection newSection: Int) {
    rows.batch?.sectionMoves.append((section, newSection))
  }
  open func deleteItems(at indexPaths: [IndexPath]) { rows.batch?.deletedRows += indexPaths }
  open func insertItems(at indexPaths: [IndexPath]) { rows.batch?.insertedRows += indexPaths }
  open func moveItem(at indexPath: IndexPath, to newIndexPath: IndexPath) {
    rows.batch?.rowMoves.append((indexPath, newIndexPath))
  }
  /// The cell that `reconfigureItems(at:)` fills: the data source gets it back when it asks for one.
  private var reconfigured: UICollectionViewCell?
  open func reconfigureItems(at indexPaths: [IndexPath]) {
    for path in indexPaths {
      reconfigured = rows.cells[path.section][path.item]
      _ = dataSource?.collectionView(self, cellForItemAt: path)
    }
    reconfigured = nil
  }
  open func supplementaryView(
    forElementKind elementKind: String, at indexPath: IndexPath
  ) -> UICollectionReusableView? {
    rows.headers[indexPath.section] as? UICollectionReusableView
  }
  open func dequeueReusableCell(
    withReuseIdentifier identifier: String, for indexPath: IndexPath
  ) -> UICollectionViewCell {
    reconfigured ?? UICollectionViewListCell()
  }
}

extension UICollectionView {
  @MainActor @preconcurrency public struct CellRegistration<Cell: UICollectionViewCell, Item> {
    public typealias Handler = (Cell, IndexPath, Item) -> Void
    let handler: Handler
    public init(handler: @escaping Handler) { self.handler = handler }
  }
  @MainActor @preconcurrency
  public struct SupplementaryRegistration<Supplementary: UICollectionReusableView> {
    public typealias Handler = (Supplementary, String, IndexPath) -> Void
    let kind: String
    let handler: Handler
    public init(elementKind: String, handler: @escaping Handler) {
      (kind, self.handler) = (elementKind, handler)
    }
  }
  public func dequeueConfiguredReusableCell<Cell, Item>(
    using registration: CellRegistration<Cell, Item>, for indexPath: IndexPath, item: Item?
  ) -> Cell {
    let cell = reconfigured as? Cell ?? Cell(frame: .zero)
    if let item { registration.handler(cell, indexPath, item) }
    return cell
  }
  public func dequeueConfiguredReusableSupplementary<Supplementary>(
    using registration: SupplementaryRegistration<Supplementary>, for indexPath: IndexPath
  ) -> Supplementary {
    let view = Supplementary(frame: .zero)
    registration.handler(view, registration.kind, indexPath)
    return view
  }
}
