/// What a model knows of its surroundings when it says how large its node may be.
///
/// ```swift
/// func sizeRange(in context: NodeContext) -> SizeRange {
///   context.sizeRange(height: 44)
/// }
/// ```
public struct NodeContext: Hashable, Sendable {
  /// The space kept free at each edge of the container.
  public struct Insets: Hashable, Sendable {
    /// The space at the upper edge.
    public var top: Double
    /// The space at the left edge.
    public var left: Double
    /// The space at the lower edge.
    public var bottom: Double
    /// The space at the right edge.
    public var right: Double

    /// Creates insets; an edge not named has none.
    public init(top: Double = 0, left: Double = 0, bottom: Double = 0, right: Double = 0) {
      self.top = top
      self.left = left
      self.bottom = bottom
      self.right = right
    }

    /// No space at any edge.
    public static var zero: Self { Self() }
  }

  /// The size of the surface that the nodes are laid out in.
  public let containerSize: SizeRange.Size
  /// The space that the surface keeps free around them.
  public let contentInset: Insets

  /// Creates a context.
  public init(containerSize: SizeRange.Size, contentInset: Insets = .zero) {
    self.containerSize = containerSize
    self.contentInset = contentInset
  }

  /// The width left between the insets, never below zero.
  public var contentWidth: Double {
    max(0, containerSize.width - contentInset.left - contentInset.right)
  }

  /// The full content width and as much height as the node wants.
  public var automaticDimension: SizeRange { .automaticSize(width: contentWidth) }

  /// The full content width and one height.
  public func sizeRange(height: Double) -> SizeRange {
    SizeRange(exactly: .init(width: contentWidth, height: height))
  }
}
