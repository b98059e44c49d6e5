/// The old and the new position of a row that survives a change: two offsets, or two item paths.
public struct Move<Place: Hashable & Sendable>: Hashable, Sendable {
  /// The position before the change.
  public var from: Place
  /// The position after the change.
  public var to: Place

  /// Creates a move between two positions.
  @inlinable
  public init(from: Place, to: Place) {
    self.from = from
    self.to = to
  }
}

extension Move: Codable where Place: Codable {}

extension Move: CustomStringConvertible {
  /// The two positions, such as `3 → 0` or `[0, 1] → [2, 0]`; one position if they are equal.
  public var description: String { from == to ? "\(to)" : "\(from) → \(to)" }
}
