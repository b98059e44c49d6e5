/// The room for a cell, from which a model computes the cell's sizes.
///
/// ```swift
/// func sizeRange(in context: NodeContext) -> SizeRange {
///   context.sizeRange(height: 44)
/// }
/// ```
/// Lengths have the surface's unit: points, or the cells of a terminal.
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

    /// Creates insets, in the surface's unit; an edge that is not named has none.
    ///
    /// - Parameters:
    ///   - top: The space at the upper edge.
    ///   - left: The space at the left edge.
    ///   - bottom: The space at the lower edge.
    ///   - right: The space at the right edge.
    public init(top: Double = 0, left: Double = 0, bottom: Double = 0, right: Double = 0) {
      self.top = top
      self.left = left
      self.bottom = bottom
      self.right = right
    }

    /// No space at any edge.
    public static var zero: Self { Self() }
  }

  /// The size of the surface that the cells are laid out in.
  public let containerSize: SizeRange.Size
  /// The space that the surface keeps free around the cells.
  public let contentInset: Insets

  /// Creates a context.
  ///
  /// - Parameters:
  ///   - containerSize: The size of the surface, in its unit.
  ///   - contentInset: The space that the surface keeps free at its edges.
  public init(containerSize: SizeRange.Size, contentInset: Insets = .zero) {
    self.containerSize = containerSize
    self.contentInset = contentInset
  }

  /// The width left between the insets, never below zero.
  public var contentWidth: Double {
    max(0, containerSize.width - contentInset.left - contentInset.right)
  }

  /// The full content width, and any height.
  public var automaticDimension: SizeRange { .automaticSize(width: contentWidth) }

  /// The full content width, and exactly one height.
  ///
  /// - Parameter height: The height, in the surface's unit.
  /// - Returns: The one size.
  public func sizeRange(height: Double) -> SizeRange {
    SizeRange(exactly: .init(width: contentWidth, height: height))
  }
}
