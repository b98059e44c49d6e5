// A stub for compiling samples; not Apple's framework. See Package.swift.

public struct CGRect: Sendable {
  public static let zero = CGRect()
}

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
