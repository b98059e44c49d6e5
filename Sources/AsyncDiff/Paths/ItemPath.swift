/// The place of an item: the offset of its section, and its own offset there.
///
/// Paths are ordered as the rows are, top to bottom.
public struct ItemPath: Hashable, Sendable {
  /// An item of two snapshots, with its path in each.
  public typealias Move = AsyncDiff.Move<ItemPath>

  /// The offset of the section.
  public var section: Int
  /// The offset of the item within its section.
  public var item: Int

  /// Creates a path.
  ///
  /// - Parameters:
  ///   - section: The offset of the section.
  ///   - item: The offset of the item within its section.
  public init(section: Int, item: Int) {
    self.section = section
    self.item = item
  }
}

extension ItemPath: Comparable {
  /// Whether one path comes before another from top to bottom.
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
        in: container, debugDescription: "a path has a section and an item, and nothing after them")
    }
  }
}

extension ItemPath: CustomStringConvertible {
  /// The path as `[section, item]`.
  public var description: String { "[\(section), \(item)]" }
}
