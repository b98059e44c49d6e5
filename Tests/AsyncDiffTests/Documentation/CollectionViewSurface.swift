import AsyncDiff

@MainActor final class ArticleList: CollectionSurface, UICollectionViewDataSource {
  nonisolated var nodePolicy: NodePolicy { .none }

  let view: UICollectionView
  var source: DiffableDataSource<Day>?
  private var shown = DiffableSnapshot<Day>()

  init(_ view: UICollectionView) {
    self.view = view
    view.dataSource = self
  }

  func reloadData(_ snapshot: DiffableSnapshot<Day>) async {
    shown = snapshot
    view.reloadData()
  }

  func performBatchUpdates(_ batch: BatchUpdates<Day>, animated: Bool) async {
    await withCheckedContinuation { done in
      view.performBatchUpdates {
        shown = batch.snapshot
        view.deleteSections(IndexSet(batch.sectionDeletes))
        view.insertSections(IndexSet(batch.sectionInserts))
        for move in batch.sectionMoves { view.moveSection(move.from, toSection: move.to) }
        view.deleteItems(at: batch.itemDeletes.map(\.indexPath))
        view.insertItems(at: batch.itemInserts.map(\.indexPath))
        for move in batch.itemMoves {
          view.moveItem(at: move.from.indexPath, to: move.to.indexPath)
        }
      } completion: { _ in
        done.resume()
      }
    }
    view.reconfigureItems(at: batch.itemUpdates.map(\.to.indexPath))
  }

  func numberOfSections(in collectionView: UICollectionView) -> Int { shown.numberOfSections }

  func collectionView(
    _ collectionView: UICollectionView, numberOfItemsInSection section: Int
  ) -> Int {
    shown.numberOfItems(in: section)
  }

  func collectionView(
    _ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath
  ) -> UICollectionViewCell {
    let cell = UICollectionViewCell()
    cell.title = shown.item(at: ItemPath(indexPath)).title
    return cell
  }

  func collectionView(
    _ collectionView: UICollectionView, moveItemAt from: IndexPath, to: IndexPath
  ) {
    guard let reorder = source?.reorder(from: ItemPath(from), to: ItemPath(to)) else {
      return view.reloadData()
    }
    shown = reorder.after
  }
}

extension ItemPath {
  init(_ indexPath: IndexPath) { self.init(section: indexPath.section, item: indexPath.item) }

  var indexPath: IndexPath { IndexPath(item: item, section: section) }
}
