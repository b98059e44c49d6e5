/// The sizes that a cell may take, from the smallest to the largest.
public struct SizeRange: Hashable, Sendable {
  /// A width and a height, in the surface's unit: points, or the character cells of a terminal.
  public struct Size: Hashable, Sendable {
    /// The width, in the surface's unit.
    public var width: Double
    /// The height, in the surface's unit.
    public var height: Double

    /// Creates a size, in the surface's unit.
    public init(width: Double, height: Double) {
      self.width = width
      self.height = height
    }
  }

  /// The smallest size allowed.
  public let min: Size
  /// The largest size allowed.
  public let max: Size

  /// Creates a range of sizes; traps if `min` is larger than `max` in either dimension.
  public init(min: Size, max: Size) {
    require(
      min.width <= max.width && min.height <= max.height,
      "SizeRange(min:max:): needs a min that does not exceed max; got \(min) and \(max)")
    self.min = min
    self.max = max
  }

  /// Creates the range that allows exactly one size.
  public init(exactly size: Size) {
    self.init(min: size, max: size)
  }

  /// The range that allows only the given width, in the surface's unit, and any height above zero.
  public static func automaticSize(width: Double) -> Self {
    Self(
      min: Size(width: width, height: .leastNonzeroMagnitude),
      max: Size(width: width, height: .greatestFiniteMagnitude))
  }
}
