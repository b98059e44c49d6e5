// A stub for compiling samples, written from the public documentation; not Apple's framework, and not shipped.
@_exported import Foundation

public struct NSDiffableDataSourceSnapshot<Section: Hashable & Sendable, Item: Hashable & Sendable>:
  Sendable
{
  public init() {}
  public private(set) var sectionIdentifiers: [Section] = []
  public private(set) var itemIdentifiers: [Item] = []
  public mutating func appendSections(_ identifiers: [Section]) {}
  public mutating func appendItems(_ identifiers: [Item], toSection sectionIdentifier: Section? = nil) {}
  public mutating func reconfigureItems(_ identifiers: [Item]) {}
  public func itemIdentifiers(inSection identifier: Section) -> [Item] { [] }
  public func sectionIdentifier(containingItem identifier: Item) -> Section? { nil }
}

public struct NSDiffableDataSourceTransaction<Section: Hashable & Sendable, Item: Hashable & Sendable> {
  public let initialSnapshot, finalSnapshot: NSDiffableDataSourceSnapshot<Section, Item>
  public let difference: CollectionDifference<Item>
}

@MainActor @preconcurrency
open class UICollectionViewDiffableDataSource<Section: Hashable & Sendable, Item: Hashable & Sendable>:
  NSObject
{
  public typealias CellProvider = (UICollectionView, IndexPath, Item) -> UICollectionViewCell?
  public typealias SupplementaryViewProvider = (UICollectionView, String, IndexPath)
    -> UICollectionReusableView?
  public struct ReorderingHandlers {
    public var canReorderItem: ((Item) -> Bool)?
    public var didReorder: ((NSDiffableDataSourceTransaction<Section, Item>) -> Void)?
  }

  public var supplementaryViewProvider: SupplementaryViewProvider?
  public var reorderingHandlers = ReorderingHandlers()
  public init(collectionView: UICollectionView, cellProvider: @escaping CellProvider) {}
  open func apply(
    _ snapshot: NSDiffableDataSourceSnapshot<Section, Item>, animatingDifferences: Bool = true,
    completion: (() -> Void)? = nil
  ) {}
  open func snapshot() -> NSDiffableDataSourceSnapshot<Section, Item> {
    NSDiffableDataSourceSnapshot()
  }
  open func itemIdentifier(for indexPath: IndexPath) -> Item? { nil }
}

extension UICollectionView {
  public func indexPathsForVisibleSupplementaryElements(ofKind elementKind: String) -> [IndexPath] {
    []
  }
}
