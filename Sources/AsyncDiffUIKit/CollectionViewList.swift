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

    /// Shows rows in cells of one class.
    ///
    /// A row keeps its cell while one value of this type shows it. Otherwise it gets a new cell: UIKit does not let
    /// `reconfigureItems(at:)` change the class.
    @MainActor public final class Cell {
      let dequeue: (UICollectionView, IndexPath, Section.Item) -> UICollectionViewCell

      /// Creates a registration, before any cell is asked for, as UIKit requires.
      ///
      /// - Parameter fill: Fills a cell, which may have shown another row before.
      public init<View: UICollectionViewCell>(fill: @escaping (View, Section.Item) -> Void) {
        let registration = UICollectionView.CellRegistration<View, Section.Item> { cell, _, item in
          fill(cell, item)
        }
        dequeue = { view, path, item in
          view.dequeueConfiguredReusableCell(using: registration, for: path, item: item)
        }
      }
    }

    /// Creates a list with cells of one class.
    ///
    /// - Parameters:
    ///   - view: The view.
    ///   - fill: Fills a cell, which may have shown another row before.
    @inlinable
    public convenience init<View: UICollectionViewCell>(
      _ view: UICollectionView, fill: @escaping (View, Section.Item) -> Void
    ) {
      let cell = Cell(fill: fill)
      self.init(view) { _ in cell }
    }

    /// Creates a list with cells of several classes.
    ///
    /// <!-- sample: final class WideCell: UICollectionViewListCell {} -->
    /// ```swift
    /// let plain = CollectionViewList<Day>.Cell { (cell: UICollectionViewListCell, article) in }
    /// let wide = CollectionViewList<Day>.Cell { (cell: WideCell, article) in }
    /// let list = CollectionViewList<Day>(view) { article in article.title == "" ? plain : wide }
    /// ```
    /// - Parameters:
    ///   - view: The view.
    ///   - cell: Chooses the cell of a row, by nothing but the row.
    @inlinable
    public convenience init(
      _ view: UICollectionView, cell: @escaping (Section.Item) -> Cell
    ) {
      self.init(view, cell: cell) { DiffableDataSource(surface: $0) }
    }

    @usableFromInline
    init(
      _ view: UICollectionView, cell: @escaping (Section.Item) -> Cell,
      makeSource: @escaping (ListSurface<Section>) -> DiffableDataSource<Section>
    ) {
      adapter = CollectionViewAdapter(view) { view, path, item in
        cell(item).dequeue(view, path, item)
      }
      super.init(adapter, kind: cell, makeSource: makeSource)
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

  extension ItemPath {
    /// Creates the path of a row of a collection view or a table.
    ///
    /// - Parameter path: A path with a section and an item.
    public init(_ path: IndexPath) { self.init(section: path.section, item: path.item) }

    /// The path as collection views and tables have it.
    public var indexPath: IndexPath { IndexPath(item: item, section: section) }
  }
#endif
