// A stub for compiling samples, written from the public documentation; not Apple's framework, and not shipped.
@_exported import Foundation


@MainActor open class UIView {
  public init(frame: CGRect) {}
  public convenience init() { self.init(frame: .zero) }
  open func setNeedsLayout() {}
  open func addSubview(_ view: UIView) {}
}

@MainActor open class UILabel: UIView {
  open var text: String?
}

@MainActor open class UIControl: UIView {
  public struct Event: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let touchUpInside = Event(rawValue: 1 << 6)
  }

  open func addAction(_ action: UIAction, for events: Event) {}
}

@MainActor open class UIButton: UIControl {}

@MainActor open class UIAction {
  public typealias Handler = @MainActor (UIAction) -> Void
  public convenience init(title: String = "", handler: @escaping Handler) { self.init() }
}

@MainActor open class UIViewController {
  public init() {}
  open func viewDidLoad() {}
  open func viewWillAppear(_ animated: Bool) {}
  open func viewDidDisappear(_ animated: Bool) {}
}

@MainActor open class UICollectionViewCell: UIView {}

@MainActor public protocol UICollectionViewDataSource: AnyObject {
  func numberOfSections(in collectionView: UICollectionView) -> Int
  func collectionView(_ collectionView: UICollectionView, numberOfItemsInSection section: Int)
    -> Int
  func collectionView(
    _ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath
  ) -> UICollectionViewCell
  func collectionView(_ collectionView: UICollectionView, moveItemAt from: IndexPath, to: IndexPath)
}

@MainActor open class UICollectionView: UIView {
  open weak var dataSource: (any UICollectionViewDataSource)?
  open func reloadData() {}
  open func performBatchUpdates(
    _ updates: (() -> Void)?, completion: (@MainActor (Bool) -> Void)? = nil
  ) {}
  open func deleteSections(_ sections: IndexSet) {}
  open func insertSections(_ sections: IndexSet) {}
  open func moveSection(_ section: Int, toSection newSection: Int) {}
  open func deleteItems(at indexPaths: [IndexPath]) {}
  open func insertItems(at indexPaths: [IndexPath]) {}
  open func moveItem(at indexPath: IndexPath, to newIndexPath: IndexPath) {}
  open func reconfigureItems(at indexPaths: [IndexPath]) {}
}

extension IndexPath {
  public init(item: Int, section: Int) { self.init(indexes: [section, item]) }
  public var section: Int { self[0] }
  public var item: Int { self[1] }
}
