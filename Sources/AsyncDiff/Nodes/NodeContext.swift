/// The space available for a cell; a model uses it to compute the cell's sizes.
///
/// ```swift
/// func sizeRange(in context: NodeContext) -> SizeRange {
///   context.sizeRange(height: 44)
/// }
/// ```
/// Lengths are in the surface's unit: points, or the character cells of a terminal.
public struct NodeContext: Hashable, Sendable {
  /// The margins at each edge of the container.
  public struct Insets: Hashable, Sendable {
    /// The margin at the top.
    public var top: Double
    /// The margin at the left.
    public var left: Double
    /// The margin at the bottom.
    public var bottom: Double
    /// The margin at the right.
    public var right: Double

    /// Creates insets, in the surface's unit; an edge that you do not name has no margin.
    public init(top: Double = 0, left: Double = 0, bottom: Double = 0, right: Double = 0) {
      self.top = top
      self.left = left
      self.bottom = bottom
      self.right = right
    }

    /// No margin at any edge.
    public static var zero: Self { Self() }
  }

  /// The size of the surface that contains the cells.
  public let containerSize: SizeRange.Size
  /// The margins between the edges of the surface and the cells.
  public let contentInset: Insets

  /// Creates a context, with all lengths in the surface's unit.
  public init(containerSize: SizeRange.Size, contentInset: Insets = .zero) {
    self.containerSize = containerSize
    self.contentInset = contentInset
  }

  /// The width between the left and the right inset, never below zero.
  public var contentWidth: Double {
    max(0, containerSize.width - contentInset.left - contentInset.right)
  }

  /// The full content width, and any height.
  public var automaticDimension: SizeRange { .automaticSize(width: contentWidth) }

  /// Returns the full content width and exactly the given height, in the surface's unit.
  public func sizeRange(height: Double) -> SizeRange {
    SizeRange(exactly: .init(width: contentWidth, height: height))
  }
}
