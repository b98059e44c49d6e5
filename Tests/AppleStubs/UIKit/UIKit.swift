// A stub for compiling samples and running tests, written from the public documentation; not Apple's framework, and not shipped.
@_exported import Foundation

@MainActor open class UIView: NSObject {
  public private(set) static var areAnimationsEnabled = true
  open weak var window: UIView?
  open var frame = CGRect.zero
  public init(frame: CGRect = .zero) { super.init() }
  open func setNeedsLayout() {}
  open func invalidateIntrinsicContentSize() {}
  /// The size that the view needs for its content.
  open func sizeThatFits(_ size: CGSize) -> CGSize { .zero }
  open func addSubview(_ view: UIView) {}
  public class func performWithoutAnimation(_ actions: () -> Void) {
    areAnimationsEnabled = false
    defer { areAnimationsEnabled = true }
    actions()
  }
}

@MainActor open class UILabel: UIView {
  open var text: String?
}

@MainActor open class UIControl: UIView {
  public struct Event: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let touchUpInside = Event(rawValue: 1 << 6)
    public static let editingChanged = Event(rawValue: 1 << 17)
  }

  open func addAction(_ action: UIAction, for events: Event) {}
}

@MainActor open class UIButton: UIControl {}

@MainActor open class UITextRange {}

@MainActor open class UITextField: UIControl {
  open var text: String?
  open var markedTextRange: UITextRange? { nil }
}

@MainActor open class UIAction {
  public typealias Handler = @MainActor (UIAction) -> Void
  public convenience init(title: String = "", handler: @escaping Handler) { self.init() }
}

extension IndexPath {
  public init(item: Int, section: Int) { self.init(indexes: [section, item]) }
  public init(row: Int, section: Int) { self.init(indexes: [section, row]) }
  public var section: Int { pair[0] }
  public var item: Int { pair[1] }
  public var row: Int { pair[1] }

  /// The path, which UIKit requires to have two elements; that of a view of the whole layout has one.
  private var pair: Self {
    precondition(count == 2, "the index path \(self) does not have two elements")
    return self
  }
}

public protocol UIContentConfiguration {}
public struct UIListContentConfiguration: UIContentConfiguration, Sendable {
  public var text: String?
  public var secondaryText: String?
}

@MainActor open class UIViewController {
  public init() {}
  open func viewDidLoad() {}
  open func viewWillAppear(_ animated: Bool) {}
  open func viewDidDisappear(_ animated: Bool) {}
}
