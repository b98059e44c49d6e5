/// The old and the new place of what survives a change: offsets of rows, or paths of items.
public struct Move<Place: Hashable & Sendable>: Hashable, Sendable {
  /// The place before.
  public var from: Place
  /// The place after.
  public var to: Place

  /// Creates a move.
  ///
  /// - Parameters:
  ///   - from: The place before.
  ///   - to: The place after.
  @inlinable
  public init(from: Place, to: Place) {
    self.from = from
    self.to = to
  }
}

extension Move: Codable where Place: Codable {}

extension Move: CustomStringConvertible {
  /// The two places, as `3 → 0` or `[0, 1] → [2, 0]`; one place where they are equal.
  public var description: String { from == to ? "\(to)" : "\(from) → \(to)" }
}
