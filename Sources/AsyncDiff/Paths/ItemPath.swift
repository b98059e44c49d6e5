/// The position of an item: the offset of its section, and the offset of the item within that section.
///
/// Paths are ordered like the rows that they refer to, from top to bottom.
public struct ItemPath: Hashable, Sendable {
  /// The paths of one item in two snapshots.
  public typealias Move = AsyncDiff.Move<ItemPath>

  /// The offset of the section.
  public var section: Int
  /// The offset of the item within its section.
  public var item: Int

  /// Creates a path from the offset of a section and the offset of an item within that section.
  public init(section: Int, item: Int) {
    self.section = section
    self.item = item
  }
}

extension ItemPath: Comparable {
  /// Whether one path is above another.
  public static func < (lhs: Self, rhs: Self) -> Bool {
    (lhs.section, lhs.item) < (rhs.section, rhs.item)
  }
}

extension ItemPath: Codable {
  /// Encodes the two offsets, as `[section, item]`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    try container.encode(section)
    try container.encode(item)
  }

  /// Decodes an array of two offsets.
  public init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    self.init(
      section: try container.decode(Int.self), item: try container.decode(Int.self))
    guard container.isAtEnd else {
      throw DecodingError.dataCorruptedError(
        in: container,
        debugDescription: "ItemPath: needs an array of two numbers, [section, item]; got more")
    }
  }
}

extension ItemPath: CustomStringConvertible {
  /// The path as `[section, item]`.
  public var description: String { "[\(section), \(item)]" }
}
