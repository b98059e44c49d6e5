// A stub for compiling samples and running tests, written from the public documentation; not Apple's framework, and not shipped.
@_exported import Foundation

@MainActor open class UICollectionReusableView: UIView {
  // In UIKit this initializer is not `required`, because UIKit creates views from their class at run time.
  public override required init(frame: CGRect = .zero) { super.init(frame: frame) }
}

@MainActor open class UICollectionViewCell: UICollectionReusableView {
  open var contentConfiguration: (any UIContentConfiguration)?
  open internal(set) var configurationState = UICellConfigurationState()
  /// The registration or the identifier from which the cell was created.
  var origin: AnyHashable?
}

@MainActor open class UICollectionViewListCell: UICollectionViewCell {
  open var accessories: [UICellAccessory] = []
  open func defaultContentConfiguration() -> UIListContentConfiguration {
    UIListContentConfiguration()
  }
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

// These methods are optional in UIKit.
extension UICollectionViewDataSource {
  public func numberOfSections(in collectionView: UICollectionView) -> Int { 1 }
  public func collectionView(
    _ collectionView: UICollectionView, viewForSupplementaryElementOfKind kind: String,
    at indexPath: IndexPath
  ) -> UICollectionReusableView { fatalError("the data source has no supplementary views") }
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
  func collectionView(
    _ collectionView: UICollectionView, cancelPrefetchingForItemsAt indexPaths: [IndexPath])
}

// This method is optional in UIKit.
extension UICollectionViewDataSourcePrefetching {
  public func collectionView(
    _ collectionView: UICollectionView, cancelPrefetchingForItemsAt indexPaths: [IndexPath]
  ) {}
}

@MainActor open class UICollectionView: UIView {
  public static let elementKindSectionHeader = "UICollectionElementKindSectionHeader"
  public static let elementKindSectionFooter = "UICollectionElementKindSectionFooter"
  public struct ScrollPosition: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let top = ScrollPosition(rawValue: 1)
  }

  open weak var dataSource: (any UICollectionViewDataSource)?
  open weak var prefetchDataSource: (any UICollectionViewDataSourcePrefetching)?
  private var layout: UICollectionViewLayout
  open var collectionViewLayout: UICollectionViewLayout {
    get {
      layout.collectionView = self
      return layout
    }
    set { layout = newValue }
  }
  open var isEditing = false
  open var allowsMultipleSelection = false
  /// The kinds of supplementary views in each section.
  ///
  /// Tests set this property instead of a layout that has such views.
  public var kinds: [String] {
    get { (layout as? UICollectionViewCompositionalLayout)?.kinds ?? otherKinds }
    set { otherKinds = newValue }
  }
  private var otherKinds: [String] = []

  public init(frame: CGRect, collectionViewLayout layout: UICollectionViewLayout) {
    self.layout = layout
    super.init(frame: frame)
  }

  /// Whether the data source is being asked for a cell.
  static var isAskingForCell = false
  private func askForCell(_ path: IndexPath) -> UICollectionViewCell {
    Self.isAskingForCell = true
    defer { Self.isAskingForCell = false }
    return dataSource?.collectionView(self, cellForItemAt: path) ?? UICollectionViewCell()
  }

  private lazy var rows = StubRows<UICollectionViewCell> { [unowned self] in
    guard let dataSource else { return [] }
    return (0..<dataSource.numberOfSections(in: self)).map {
      dataSource.collectionView(self, numberOfItemsInSection: $0)
    }
  } cell: { [unowned self] path in
    askForCell(path)
  } kinds: { [unowned self] in
    kinds
  } view: { [unowned self] kind, section in
    dataSource?.collectionView(
      self, viewForSupplementaryElementOfKind: kind, at: IndexPath(item: 0, section: section))
  }

  /// The cells of all rows.
  ///
  /// A real view has cells only for the rows on screen.
  public var allCells: [[UICollectionViewCell]] {
    rows.load()
    return rows.cells
  }
  open var visibleCells: [UICollectionViewCell] { rows.cells.flatMap(\.self) }

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
  open func reloadItems(at indexPaths: [IndexPath]) { rows.reload(indexPaths) }
  /// The cell that `reconfigureItems(at:)` is updating.
  ///
  /// The data source gets this cell when it dequeues one.
  private var reconfigured: UICollectionViewCell?
  open func reconfigureItems(at indexPaths: [IndexPath]) {
    for path in indexPaths {
      reconfigured = rows.cell(at: path)
      check(
        askForCell(path) === reconfigured, "reconfigureItems: the data source must return the existing cell")
    }
    reconfigured = nil
  }
  open func supplementaryView(
    forElementKind elementKind: String, at indexPath: IndexPath
  ) -> UICollectionReusableView? {
    rows.views[elementKind]?[indexPath.section] as? UICollectionReusableView
  }
  func measure(_ invalid: [(kind: String, paths: [IndexPath])]) {
    for (kind, paths) in invalid { for path in paths { rows.measure(kind, path.section) } }
  }

  open var indexPathsForSelectedItems: [IndexPath]? { rows.selectedPaths }
  open var indexPathsForVisibleItems: [IndexPath] { rows.visiblePaths }
  open func selectItem(
    at indexPath: IndexPath?, animated: Bool, scrollPosition: ScrollPosition
  ) {
    if let indexPath { rows.select(indexPath, alone: !allowsMultipleSelection) }
  }
  open func scrollToItem(
    at indexPath: IndexPath, at scrollPosition: ScrollPosition, animated: Bool
  ) {}

  // The user's drags.

  open var hasUncommittedUpdates: Bool {
    get { rows.hasUncommittedUpdates }
    set { rows.hasUncommittedUpdates = newValue }
  }
  open func beginInteractiveMovementForItem(at indexPath: IndexPath) -> Bool {
    guard dataSource?.collectionView(self, canMoveItemAt: indexPath) == true else { return false }
    rows.hold(indexPath)
    rows.held?.configurationState.isReordering = true
    return true
  }
  /// The path at which a drop would put the row.
  ///
  /// UIKit computes the path from the touch position.
  public var target: IndexPath?
  open func endInteractiveMovement() {
    rows.held?.configurationState.isReordering = false
    guard let target, let from = rows.drop(at: target) else { return rows.letGo() }
    dataSource?.collectionView(self, moveItemAt: from, to: target)
  }
  open func cancelInteractiveMovement() {
    rows.held?.configurationState.isReordering = false
    rows.letGo()
  }
  /// Simulates a user who picks up a row by its reorder control.
  ///
  /// Returns `false` if the control is not displayed or the row cannot be moved.
  public func takeByControl(_ path: IndexPath) -> Bool {
    let accessories = (rows.cell(at: path) as? UICollectionViewListCell)?.accessories ?? []
    return accessories.contains { $0.isReorder && $0.isDisplayed(whenEditing: isEditing) }
      && beginInteractiveMovementForItem(at: path)
  }
  public func drop(at path: IndexPath) {
    target = path
    endInteractiveMovement()
  }

  /// Whether completions wait for `endAnimations()`.
  public var holdsCompletions: Bool {
    get { rows.holdsCompletions }
    set { rows.holdsCompletions = newValue }
  }
  public func endAnimations() { rows.end() }

  // Cells.

  private func reuse<Cell: UICollectionViewCell>(
    _ origin: AnyHashable, or make: () -> Cell
  ) -> Cell {
    guard let reconfigured else {
      let cell = make()
      cell.origin = origin
      return cell
    }
    check(
      reconfigured.origin == origin,
      "reconfigureItems: the cell has a different registration or reuse identifier than the existing one")
    guard let cell = reconfigured as? Cell else { fatalError("UIKit's rules: the existing cell is not a \(Cell.self)") }
    return cell
  }
  private var classes: [String: UICollectionViewCell.Type] = [:]
  open func register(_ cellClass: AnyClass?, forCellWithReuseIdentifier identifier: String) {
    classes[identifier] = cellClass as? UICollectionViewCell.Type
  }
  open func dequeueReusableCell(
    withReuseIdentifier identifier: String, for indexPath: IndexPath
  ) -> UICollectionViewCell {
    reuse(identifier) { (classes[identifier] ?? UICollectionViewListCell.self).init(frame: .zero) }
  }
  func dequeue<Cell, Item>(
    _ registration: CellRegistration<Cell, Item>
  ) -> Cell { reuse(ObjectIdentifier(registration.identity)) { Cell(frame: .zero) } }
}

extension UICollectionView {
  @MainActor @preconcurrency public struct CellRegistration<Cell: UICollectionViewCell, Item> {
    public typealias Handler = (Cell, IndexPath, Item) -> Void
    let handler: Handler
    let identity = NSObject()
    let isMadeWhileAsked = isAskingForCell
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
    check(
      !registration.isMadeWhileAsked, "a cell registration must be created before the data source is asked for a cell")
    let cell = dequeue(registration)
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
