#if canImport(UIKit) && !os(watchOS)
  public import AsyncDiff
  public import UIKit

  /// Shows a list in a `UICollectionView`, as its data source.
  ///
  /// ```swift
  /// let list = CollectionViewList<Day>(view) { (cell: UICollectionViewListCell, article) in
  ///   var content = cell.defaultContentConfiguration()
  ///   content.text = article.title
  ///   cell.contentConfiguration = content
  /// }
  /// model.states.pipe(to: list.source, in: bag) { DiffableSnapshot(sections: $0.sections) }
  /// ```
  /// Keep a reference to the list. The list references its view weakly, and leaves the view's delegate and layout to you.
  public final class CollectionViewList<Section: SectionInflator>: ListSurface<Section> {
    private let adapter: CollectionViewAdapter<Section>

    /// A class of cells, and the closure that fills them.
    ///
    /// A changed row keeps its `UICollectionViewCell` if the list chooses the same `Cell` for the row. Otherwise the row gets a
    /// new one, because `reconfigureItems(at:)` cannot change the class.
    @MainActor public final class Cell {
      let dequeue: (UICollectionView, IndexPath, Section.Item) -> UICollectionViewCell

      /// Creates a `Cell` and registers its class, which UIKit requires before any cell is dequeued.
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
    ///   - view: The view that shows the list.
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
    ///   - view: The view that shows the list.
    ///   - cell: Chooses the cell of a row. The choice must depend only on the row.
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
      // The view may still show the rows of its previous data source.
      view.reloadData()
    }

    /// A closure that creates supplementary views of the kinds that you have not passed to ``showViews(ofKind:fill:)``, such as
    /// badges.
    ///
    /// The closure works like the `supplementaryViewProvider` of `UICollectionViewDiffableDataSource`. The list does not update
    /// these views; update them from the `snapshots` of ``ListSurface/source``.
    public var supplementaryViewProvider:
      ((UICollectionView, String, IndexPath) -> UICollectionReusableView?)?
    {
      get { adapter.otherViews }
      set { adapter.otherViews = newValue }
    }

    /// Shows headers of one class, if the view's layout has headers; call this method before the first snapshot.
    ///
    /// - Parameter fill: Fills a header, which may have shown another section before.
    public func showHeaders<Header: UICollectionReusableView>(
      fill: @escaping (Header, Section.Content) -> Void
    ) {
      showViews(ofKind: UICollectionView.elementKindSectionHeader, fill: fill)
    }

    /// Shows footers of one class, if the view's layout has footers; call this method before the first snapshot.
    ///
    /// - Parameter fill: Fills a footer, which may have shown another section before.
    public func showFooters<Footer: UICollectionReusableView>(
      fill: @escaping (Footer, Section.Content) -> Void
    ) {
      showViews(ofKind: UICollectionView.elementKindSectionFooter, fill: fill)
    }

    /// Shows one supplementary view for each section; call this method before the first snapshot.
    ///
    /// For a view of the whole layout, use ``supplementaryViewProvider`` instead.
    ///
    /// - Parameters:
    ///   - kind: The kind in the view's layout.
    ///   - fill: Fills a view, which may have shown another section before.
    public func showViews<View: UICollectionReusableView>(
      ofKind kind: String, fill: @escaping (View, Section.Content) -> Void
    ) {
      let fillSection = { [weak self] (view: View, section: Int) in
        // A view of the whole layout is also asked for while the list is empty.
        if let self, shown.sections.indices.contains(section) {
          fill(view, shown.sections[section].content)
        }
      }
      let registration = UICollectionView.SupplementaryRegistration<View>(elementKind: kind) {
        // The index path of a view of the whole layout has one element, so `section` would trap.
        fillSection($0, $2.first ?? 0)
      }
      adapter.sectionViews[kind] = CollectionViewAdapter<Section>.SectionView(
        dequeue: { $0.dequeueConfiguredReusableSupplementary(using: registration, for: $1) },
        fill: { view, section in if let view = view as? View { fillSection(view, section) } })
    }
  }

  extension ItemPath {
    /// Creates the path of a row of a collection view or a table.
    public init(_ path: IndexPath) { self.init(section: path.section, item: path.item) }

    /// The path as an `IndexPath` of collection views and tables.
    public var indexPath: IndexPath { IndexPath(item: item, section: section) }
  }
#endif
