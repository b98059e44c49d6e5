// A stub for compiling samples and running tests, written from the public documentation; not Apple's framework, and not shipped.
@_exported import Foundation

@MainActor open class UICollectionViewLayoutInvalidationContext: NSObject {
  // In UIKit this initializer is not `required`, because UIKit creates objects from their class at run time.
  nonisolated public required override init() { super.init() }
  var supplementary: [(kind: String, paths: [IndexPath])] = []
  open func invalidateSupplementaryElements(ofKind elementKind: String, at indexPaths: [IndexPath]) {
    supplementary.append((elementKind, indexPaths))
  }
}

@MainActor open class UICollectionViewLayout: NSObject {
  nonisolated public override init() { super.init() }
  open internal(set) weak var collectionView: UICollectionView?
  open class var invalidationContextClass: AnyClass { UICollectionViewLayoutInvalidationContext.self }
  open func invalidateLayout(with context: UICollectionViewLayoutInvalidationContext) {
    check(
      type(of: context) == Self.invalidationContextClass,
      "an invalidation context must have the layout's invalidationContextClass")
    collectionView?.measure(context.supplementary)
  }
}

@MainActor
open class UICollectionViewFlowLayoutInvalidationContext:
  UICollectionViewLayoutInvalidationContext
{}

@MainActor open class UICollectionViewFlowLayout: UICollectionViewLayout {
  open override class var invalidationContextClass: AnyClass {
    UICollectionViewFlowLayoutInvalidationContext.self
  }
}

@MainActor open class UICollectionViewCompositionalLayout: UICollectionViewLayout {
  /// The kinds of the supplementary views of each section.
  var kinds: [String] = []
  public static func list(
    using configuration: UICollectionLayoutListConfiguration
  ) -> UICollectionViewCompositionalLayout {
    let layout = UICollectionViewCompositionalLayout()
    if configuration.headerMode == .supplementary {
      layout.kinds.append(UICollectionView.elementKindSectionHeader)
    }
    if configuration.footerMode == .supplementary {
      layout.kinds.append(UICollectionView.elementKindSectionFooter)
    }
    return layout
  }
}

@MainActor public struct UICollectionLayoutListConfiguration {
  public enum Appearance: Sendable { case plain, grouped, insetGrouped, sidebar, sidebarPlain }
  public enum HeaderMode: Sendable { case none, supplementary, firstItemInSection }
  public enum FooterMode: Sendable { case none, supplementary }
  public typealias SwipeActionsConfigurationProvider = (IndexPath) -> UISwipeActionsConfiguration?
  public var headerMode = HeaderMode.none
  public var footerMode = FooterMode.none
  public var trailingSwipeActionsConfigurationProvider: SwipeActionsConfigurationProvider?
  public init(appearance: Appearance) {}
}

@MainActor open class UIContextualAction: NSObject {
  public enum Style: Int, Sendable { case normal, destructive }
  public typealias Handler =
    @MainActor (
      UIContextualAction, UIView, @escaping @MainActor (Bool) -> Void
    ) -> Void
  public let handler: Handler
  public init(style: Style, title: String?, handler: @escaping Handler) { self.handler = handler }
}

@MainActor open class UISwipeActionsConfiguration: NSObject {
  public let actions: [UIContextualAction]
  public init(actions: [UIContextualAction]) { self.actions = actions }
}
