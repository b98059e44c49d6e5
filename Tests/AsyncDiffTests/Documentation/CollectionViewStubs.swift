import AsyncDiff

// As much of UIKit as the sample of a collection view surface needs, so that it is compiled everywhere.

struct IndexPath: Hashable {
  var section: Int
  var item: Int

  init(item: Int, section: Int) {
    self.item = item
    self.section = section
  }
}

struct IndexSet {
  let offsets: [Int]

  init(_ offsets: [Int]) {
    self.offsets = offsets
  }
}

@MainActor class UICollectionViewCell {
  var title = ""
}

@MainActor protocol UICollectionViewDataSource: AnyObject {
  func numberOfSections(in collectionView: UICollectionView) -> Int
  func collectionView(_ collectionView: UICollectionView, numberOfItemsInSection section: Int)
    -> Int
  func collectionView(
    _ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath
  ) -> UICollectionViewCell
  func collectionView(
    _ collectionView: UICollectionView, moveItemAt from: IndexPath, to: IndexPath)
}

/// Counts what it is asked for, and counts rows before and after a batch as the real one does.
@MainActor final class UICollectionView {
  weak var dataSource: (any UICollectionViewDataSource)?
  private(set) var calls: [String] = []
  private var counts: [Int] = []

  func reloadData() {
    calls.append("reloadData")
    counts = currentCounts
  }

  /// Carries out its operations at once; the completion is called when the animation is over.
  func performBatchUpdates(
    _ updates: () -> Void, completion: @escaping @MainActor (Bool) -> Void
  ) {
    updates()
    counts = currentCounts
    Task { completion(true) }
  }

  func deleteSections(_ sections: IndexSet) { calls.append("deleteSections \(sections.offsets)") }
  func insertSections(_ sections: IndexSet) { calls.append("insertSections \(sections.offsets)") }
  func moveSection(_ section: Int, toSection: Int) { calls.append("moveSection") }
  func deleteItems(at paths: [IndexPath]) { calls.append("deleteItems \(paths.count)") }
  func insertItems(at paths: [IndexPath]) { calls.append("insertItems \(paths.count)") }
  func moveItem(at path: IndexPath, to: IndexPath) { calls.append("moveItem") }
  func reconfigureItems(at paths: [IndexPath]) { calls.append("reconfigureItems \(paths.count)") }

  private var currentCounts: [Int] {
    guard let dataSource else { return [] }
    return (0..<dataSource.numberOfSections(in: self)).map {
      dataSource.collectionView(self, numberOfItemsInSection: $0)
    }
  }
}
