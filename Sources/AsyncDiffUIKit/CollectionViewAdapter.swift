#if canImport(UIKit) && !os(watchOS)
  internal import AsyncDiff
  internal import UIKit

  /// Connects a list to a collection view, in both directions.
  ///
  /// All methods are declared in the class itself, because an extension of a generic class cannot contain Objective-C methods.
  final class CollectionViewAdapter<Section: SectionInflator>:
    NSObject, ListView, UICollectionViewDataSource, UICollectionViewDataSourcePrefetching
  {
    weak var list: ListSurface<Section>?
    /// The closures that create and fill the supplementary views of sections, by the kind of view.
    var sectionViews: [String: SectionView] = [:]
    var otherViews: ((UICollectionView, String, IndexPath) -> UICollectionReusableView?)?

    struct SectionView {
      let dequeue: (UICollectionView, IndexPath) -> UICollectionReusableView
      let fill: (UICollectionReusableView, Int) -> Void
    }

    private weak let target: UICollectionView?
    /// The view, unless another list has become its data source.
    private var view: UICollectionView? { target?.dataSource === self ? target : nil }
    private let cell: (UICollectionView, IndexPath, Section.Item) -> UICollectionViewCell

    init(
      _ view: UICollectionView,
      cell: @escaping (UICollectionView, IndexPath, Section.Item) -> UICollectionViewCell
    ) {
      target = view
      self.cell = cell
    }

    // Members that the list uses.

    var isInWindow: Bool { view?.window != nil }
    var visibleRows: [ItemPath] { view?.indexPathsForVisibleItems.map { ItemPath($0) } ?? [] }
    var isHeld: Bool {
      guard let view else { return false }
      return view.hasUncommittedUpdates
        || view.visibleCells.contains(where: \.configurationState.isReordering)
    }
    var selection: [ItemPath] { view?.indexPathsForSelectedItems?.map { ItemPath($0) } ?? [] }
    func select(_ paths: [ItemPath]) {
      for path in paths {
        view?.selectItem(at: path.indexPath, animated: false, scrollPosition: [])
      }
    }
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
    func replaceRows(_ paths: [ItemPath]) { view?.reloadItems(at: paths.map(\.indexPath)) }
    func updateSections(_ sections: [Int]) {
      guard let layout = view?.collectionViewLayout else { return }
      // A layout accepts only invalidation contexts of its own context class.
      let contextClass: AnyClass = type(of: layout).invalidationContextClass
      guard let contextClass = contextClass as? UICollectionViewLayoutInvalidationContext.Type
      else { return }
      let context = contextClass.init()
      for (kind, sectionView) in sectionViews {
        for section in sections {
          let path = IndexPath(item: 0, section: section)
          guard let shown = view?.supplementaryView(forElementKind: kind, at: path) else {
            continue
          }
          sectionView.fill(shown, section)
          shown.invalidateIntrinsicContentSize()
          context.invalidateSupplementaryElements(ofKind: kind, at: [path])
        }
      }
      layout.invalidateLayout(with: context)
    }

    // Methods that the view calls.

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
      guard let list else {
        preconditionFailure(
          "CollectionViewList: the list was released, but its view asks for a cell; keep a reference to the list"
        )
      }
      return cell(collectionView, indexPath, list.itemToShow(at: ItemPath(indexPath)))
    }
    func collectionView(
      _ collectionView: UICollectionView, viewForSupplementaryElementOfKind kind: String,
      at indexPath: IndexPath
    ) -> UICollectionReusableView {
      if let known = sectionViews[kind] { return known.dequeue(collectionView, indexPath) }
      guard let other = otherViews?(collectionView, kind, indexPath) else {
        preconditionFailure(
          "CollectionViewList: the layout asks for a view of the kind \(kind), which the list does not have; "
            + "call showViews(ofKind:fill:) before the first snapshot, or return a view from supplementaryViewProvider"
        )
      }
      return other
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
    func collectionView(
      _ collectionView: UICollectionView, cancelPrefetchingForItemsAt indexPaths: [IndexPath]
    ) {
      list?.cancelPrefetch(indexPaths.map { ItemPath($0) })
    }
  }
#endif
