#if canImport(UIKit) && !os(watchOS)
  public import AsyncDiff
  public import UIKit

  /// Shows a list in a `UICollectionView`, whose data source it becomes.
  ///
  /// ```swift
  /// let list = CollectionViewList<Day>(view) { (cell: UICollectionViewListCell, article) in
  ///   var content = cell.defaultContentConfiguration()
  ///   content.text = article.title
  ///   cell.contentConfiguration = content
  /// }
  /// model.states.pipe(to: list.source, in: bag) { DiffableSnapshot(sections: $0.sections) }
  /// ```
  /// Keep a reference to the list, which holds its view weakly. The view's delegate and layout stay yours.
  public final class CollectionViewList<Section: SectionInflator>: ListSurface<Section> {
    private let adapter: CollectionViewAdapter<Section>

    /// Creates a list with cells of one class.
    ///
    /// - Parameters:
    ///   - view: The view.
    ///   - fill: Fills a cell, which may have shown another row before.
    @inlinable
    public convenience init<Cell: UICollectionViewCell>(
      _ view: UICollectionView, fill: @escaping (Cell, Section.Item) -> Void
    ) {
      let registration = UICollectionView.CellRegistration<Cell, Section.Item> { cell, _, item in
        fill(cell, item)
      }
      self.init(view) { view, path, item in
        view.dequeueConfiguredReusableCell(using: registration, for: path, item: item)
      }
    }

    /// Creates a list with cells of several classes.
    ///
    /// - Parameters:
    ///   - view: The view.
    ///   - cell: Takes a cell from the view, and fills it; registrations are made before, not in it.
    @inlinable
    public convenience init(
      _ view: UICollectionView,
      cell: @escaping (UICollectionView, IndexPath, Section.Item) -> UICollectionViewCell
    ) {
      self.init(view, cell: cell) { DiffableDataSource(surface: $0) }
    }

    @usableFromInline
    init(
      _ view: UICollectionView,
      cell: @escaping (UICollectionView, IndexPath, Section.Item) -> UICollectionViewCell,
      makeSource: @escaping (ListSurface<Section>) -> DiffableDataSource<Section>
    ) {
      adapter = CollectionViewAdapter(view, cell: cell)
      super.init(adapter, makeSource: makeSource)
      adapter.list = self
      view.dataSource = adapter
      view.prefetchDataSource = adapter
    }

    /// Shows headers of one class, where the view's layout has headers.
    ///
    /// Call it before the first snapshot.
    ///
    /// - Parameter fill: Fills a header, which may have shown another section before.
    public func showHeaders<Header: UICollectionReusableView>(
      fill: @escaping (Header, Section.Content) -> Void
    ) {
      let registration = UICollectionView.SupplementaryRegistration<Header>(
        elementKind: UICollectionView.elementKindSectionHeader
      ) { [weak self] header, _, path in
        if let self { fill(header, shown.sections[path.section].content) }
      }
      adapter.header = { view, path in
        view.dequeueConfiguredReusableSupplementary(using: registration, for: path)
      }
      adapter.fillHeader = { [weak self] header, section in
        if let self, let header = header as? Header {
          fill(header, shown.sections[section].content)
        }
      }
    }
  }

  /// Puts a list into a collection view's words, and the view's calls into those of the list.
  ///
  /// All methods stand in the class: an extension of a generic class cannot have those of Objective-C.
  private final class CollectionViewAdapter<Section: SectionInflator>:
    NSObject, ListView, UICollectionViewDataSource, UICollectionViewDataSourcePrefetching
  {
    weak var list: ListSurface<Section>?
    var header: ((UICollectionView, IndexPath) -> UICollectionReusableView)?
    var fillHeader: (UICollectionReusableView, Int) -> Void = { _, _ in }

    private weak let view: UICollectionView?
    private let cell: (UICollectionView, IndexPath, Section.Item) -> UICollectionViewCell

    init(
      _ view: UICollectionView,
      cell: @escaping (UICollectionView, IndexPath, Section.Item) -> UICollectionViewCell
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
    func deleteSections(_ sections: [Int]) { view?.deleteSections(IndexSet(sections)) }
    func insertSections(_ sections: [Int]) { view?.insertSections(IndexSet(sections)) }
    func moveSection(from: Int, to: Int) { view?.moveSection(from, toSection: to) }
    func deleteRows(_ paths: [ItemPath]) { view?.deleteItems(at: paths.map(\.indexPath)) }
    func insertRows(_ paths: [ItemPath]) { view?.insertItems(at: paths.map(\.indexPath)) }
    func moveRow(from: ItemPath, to: ItemPath) {
      view?.moveItem(at: from.indexPath, to: to.indexPath)
    }
    func updateRows(_ paths: [ItemPath]) { view?.reconfigureItems(at: paths.map(\.indexPath)) }
    func updateHeader(of section: Int) {
      let path = IndexPath(item: 0, section: section)
      let kind = UICollectionView.elementKindSectionHeader
      if let header = view?.supplementaryView(forElementKind: kind, at: path) {
        fillHeader(header, section)
      }
    }

    // What the view asks.

    func numberOfSections(in collectionView: UICollectionView) -> Int {
      list?.shown.numberOfSections ?? 0
    }
    func collectionView(
      _ collectionView: UICollectionView, numberOfItemsInSection section: Int
    ) -> Int {
      list?.shown.numberOfItems(in: section) ?? 0
    }
    func collectionView(
      _ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath
    ) -> UICollectionViewCell {
      guard let list else { preconditionFailure("CollectionViewList: keep the list") }
      return cell(collectionView, indexPath, list.itemToShow(at: ItemPath(indexPath)))
    }
    func collectionView(
      _ collectionView: UICollectionView, viewForSupplementaryElementOfKind kind: String,
      at indexPath: IndexPath
    ) -> UICollectionReusableView {
      guard let header, kind == UICollectionView.elementKindSectionHeader else {
        preconditionFailure(
          "CollectionViewList: there are headers after showHeaders(fill:); the layout has \(kind)")
      }
      return header(collectionView, indexPath)
    }
    func collectionView(
      _ collectionView: UICollectionView, canMoveItemAt indexPath: IndexPath
    ) -> Bool {
      list?.canMove(at: ItemPath(indexPath)) ?? false
    }
    func collectionView(
      _ collectionView: UICollectionView, moveItemAt sourceIndexPath: IndexPath,
      to destinationIndexPath: IndexPath
    ) {
      list?.move(from: ItemPath(sourceIndexPath), to: ItemPath(destinationIndexPath))
    }
    func collectionView(
      _ collectionView: UICollectionView, prefetchItemsAt indexPaths: [IndexPath]
    ) {
      list?.prefetch(indexPaths.map { ItemPath($0) })
    }
  }

  extension ItemPath {
    /// Creates the path of a row of a collection view or a table.
    ///
    /// - Parameter path: A path with a section and an item.
    public init(_ path: IndexPath) { self.init(section: path.section, item: path.item) }

    /// The path as collection views and tables have it.
    public var indexPath: IndexPath { IndexPath(item: item, section: section) }
  }
#endif
