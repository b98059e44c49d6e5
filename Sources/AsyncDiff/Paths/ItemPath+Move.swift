extension ItemPath {
  /// An item of two snapshots, with its path in each.
  public struct Move: Hashable, Sendable, Codable {
    /// The path before.
    public var from: ItemPath
    /// The path after.
    public var to: ItemPath

    /// Creates a move.
    ///
    /// - Parameters:
    ///   - from: The path before.
    ///   - to: The path after.
    public init(from: ItemPath, to: ItemPath) {
      self.from = from
      self.to = to
    }
  }
}

extension ItemPath.Move: CustomStringConvertible {
  /// The two paths, as `[0, 1] → [2, 0]`; one path where they are equal.
  public var description: String { from == to ? "\(to)" : "\(from) → \(to)" }
}
